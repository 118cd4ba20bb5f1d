// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {AccessControl} from "@openzeppelin/contracts/access/AccessControl.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";

/// @title Workers and their stake
/// @notice Who works for the network, as what kind, and what they have at stake: native workers at least 1,000 governance tokens, browser
/// workers none (section 1). Stake is lost when a proof was fraudulent (section 6.1, `worker.slashed`).
/// @dev The tokens that this contract holds are the stake that it records: `token.balanceOf(this) == totalStaked`.
contract WorkerRegistry is AccessControl, ReentrancyGuardTransient {
    using SafeERC20 for IERC20;

    /// @notice Section 1. `None` is whoever has never registered.
    enum Kind {
        None,
        Browser,
        Native
    }

    struct Worker {
        Kind kind;
        /// Base units of the governance token.
        uint128 stake;
        /// Disputes about the worker's jobs that are under arbitration.
        uint32 openDisputes;
    }

    /// @notice May slash stake, and hold it while a dispute is open: the disputes contract.
    bytes32 public constant SLASHER_ROLE = keccak256("SLASHER_ROLE");
    /// @notice What a native worker stakes at least: 1,000 tokens (section 1).
    uint256 public constant MINIMUM_STAKE = 1_000 ether;

    /// @notice The governance token.
    IERC20 public immutable token;
    /// @notice Where slashed stake goes.
    address public immutable treasury;
    /// @notice Base units staked by all workers together.
    uint256 public totalStaked;

    mapping(address worker => Worker) private _workers;

    /// @notice A worker has joined.
    event WorkerRegistered(address indexed worker, Kind kind);
    /// @notice Stake was added; `total` is at stake now.
    event Staked(address indexed worker, uint256 amount, uint256 total);
    /// @notice Stake was taken back; `left` is at stake now.
    event Unstaked(address indexed worker, uint256 amount, uint256 left);
    /// @notice Stake was lost for a fraudulent proof; `left` is at stake now.
    event Slashed(address indexed worker, uint256 indexed jobId, uint256 amount, uint256 left);
    /// @notice A dispute began: until all have ended the stake stays.
    event StakeHeld(address indexed worker, uint256 openDisputes);
    /// @notice A dispute ended.
    event StakeFreed(address indexed worker, uint256 openDisputes);

    /// @notice The zero address is nobody.
    error ZeroAddress();
    /// @notice A worker is a browser or native.
    error UnknownKind();
    /// @notice The account has never registered.
    error UnknownWorker(address worker);
    /// @notice A worker stays of the kind that it registered as.
    error KindIsFixed(address worker, Kind kind);
    /// @notice A native worker has at least `minimum` at stake, or nothing.
    error StakeTooLow(uint256 stake, uint256 minimum);
    /// @notice The worker has `stake` at stake.
    error NotEnoughStake(address worker, uint256 stake, uint256 wanted);
    /// @notice Stake stays while disputes about its worker are open.
    error UnderDispute(address worker, uint256 openDisputes);

    /// @param admin hands out the roles
    constructor(IERC20 token_, address treasury_, address admin) {
        if (address(token_) == address(0) || treasury_ == address(0)) revert ZeroAddress();
        token = token_;
        treasury = treasury_;
        _grantRole(DEFAULT_ADMIN_ROLE, admin);
    }

    /// @notice Joins the network, or adds stake. The caller has approved the amount to this contract before.
    /// @param kind Browser or Native; it decides the share of a job's value and never changes
    /// @param amount base units; a native worker has at least the minimum at stake afterwards, a browser worker needs none
    function stake(Kind kind, uint128 amount) external nonReentrant {
        if (kind == Kind.None) revert UnknownKind();
        Worker storage worker = _workers[msg.sender];
        uint128 total = worker.stake + amount;
        if (kind == Kind.Native && total < MINIMUM_STAKE) revert StakeTooLow(total, MINIMUM_STAKE);
        if (worker.kind == Kind.None) {
            worker.kind = kind;
            emit WorkerRegistered(msg.sender, kind);
        } else if (worker.kind != kind) {
            revert KindIsFixed(msg.sender, worker.kind);
        }
        worker.stake = total;
        totalStaked += amount;
        emit Staked(msg.sender, amount, total);
        if (amount != 0) token.safeTransferFrom(msg.sender, address(this), amount);
    }

    /// @notice Takes stake back. What stays with a native worker is nothing, which ends active service, or still the minimum. Refused
    /// while a dispute about the worker's job is open, lest a fraud leaves before the verdict.
    /// @param amount base units
    function unstake(uint128 amount) external nonReentrant {
        Worker storage worker = _known(msg.sender);
        if (worker.openDisputes != 0) revert UnderDispute(msg.sender, worker.openDisputes);
        if (amount == 0 || amount > worker.stake) revert NotEnoughStake(msg.sender, worker.stake, amount);
        uint128 left = worker.stake - amount;
        if (worker.kind == Kind.Native && left != 0 && left < MINIMUM_STAKE) {
            revert StakeTooLow(left, MINIMUM_STAKE);
        }
        worker.stake = left;
        totalStaked -= amount;
        emit Unstaked(msg.sender, amount, left);
        token.safeTransfer(msg.sender, amount);
    }

    /// @notice Takes stake from a worker whose proof was fraudulent and hands it to the treasury.
    /// @param jobId the job of the proof
    /// @param amount base units, at most what is at stake; what is left may be below the minimum, which ends active service
    function slash(address account, uint256 jobId, uint128 amount) external onlyRole(SLASHER_ROLE) nonReentrant {
        Worker storage worker = _known(account);
        if (amount > worker.stake) revert NotEnoughStake(account, worker.stake, amount);
        uint128 left = worker.stake - amount;
        worker.stake = left;
        totalStaked -= amount;
        emit Slashed(account, jobId, amount, left);
        if (amount != 0) token.safeTransfer(treasury, amount);
    }

    /// @notice A dispute about the worker's job is open: its stake stays where it is.
    function hold(address account) external onlyRole(SLASHER_ROLE) {
        Worker storage worker = _known(account);
        worker.openDisputes += 1;
        emit StakeHeld(account, worker.openDisputes);
    }

    /// @notice A dispute about the worker's job has ended.
    function free(address account) external onlyRole(SLASHER_ROLE) {
        Worker storage worker = _known(account);
        worker.openDisputes -= 1;
        emit StakeFreed(account, worker.openDisputes);
    }

    /// @return the worker's record; all zero for whoever never registered
    function workerOf(address account) external view returns (Worker memory) {
        return _workers[account];
    }

    /// @return kind the worker's kind, None for whoever never registered
    function kindOf(address account) external view returns (Kind kind) {
        return _workers[account].kind;
    }

    /// @return base units at stake
    function stakeOf(address account) external view returns (uint256) {
        return _workers[account].stake;
    }

    function _known(address account) private view returns (Worker storage worker) {
        worker = _workers[account];
        if (worker.kind == Kind.None) revert UnknownWorker(account);
    }
}
