// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {AccessControl} from "@openzeppelin/contracts/access/AccessControl.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {WorkerRegistry} from "./WorkerRegistry.sol";

/// @title The escrow
/// @notice Prepaid units and what happens to them (section 1): bought at 100 to a coin, locked when a request arrives, deducted when the job
/// settles, given back when it does not, redeemed as long as nobody locked them.
/// @dev Units are whole numbers. The coins that this contract holds are the units that it owes:
/// `coin.balanceOf(this) == outstanding * coinsPerUnit`, where `outstanding` is what wallets have, available and locked together. Coins sent
/// here without a purchase buy nothing and are nobody's.
contract Escrow is AccessControl, ReentrancyGuardTransient {
    using SafeERC20 for IERC20;

    /// @notice The life of a job's units. A job is final in `Settled` and in `Refunded`.
    enum State {
        None,
        Locked,
        Proven,
        Settled,
        Refunded
    }

    struct Job {
        address wallet;
        /// Units locked; once settled, units charged and not compensated.
        uint64 units;
        State state;
        address worker;
        /// Microseconds since the Unix epoch, as stamped by the gateway: when the worker made its last token.
        uint64 lastTokenAt;
        /// SHA-256 over the output (section 4.7).
        bytes32 proofHash;
    }

    /// @notice Locks, passes proofs on, settles and refunds: the gateway.
    bytes32 public constant GATEWAY_ROLE = keccak256("GATEWAY_ROLE");
    /// @notice Compensates clients: the disputes contract.
    bytes32 public constant ARBITRATION_ROLE = keccak256("ARBITRATION_ROLE");
    /// @notice The least that one purchase buys: 100 units, 1 coin (section 8).
    uint256 public constant MINIMUM_PURCHASE = 100;
    /// @notice Units that one coin buys (section 1).
    uint256 public constant UNITS_PER_COIN = 100;
    /// @notice A native worker's share of a job's value, in percent (section 1).
    uint256 public constant NATIVE_SHARE = 85;
    /// @notice A browser worker's share of a job's value, in percent (section 1).
    uint256 public constant BROWSER_SHARE = 75;

    /// @notice The settlement stablecoin.
    IERC20 public immutable coin;
    /// @notice Knows of what kind a worker is.
    WorkerRegistry public immutable registry;
    /// @notice Gets what a worker's share leaves of a charge.
    address public immutable treasury;
    /// @notice Base units of the coin that one unit is worth.
    uint256 public immutable coinsPerUnit;
    /// @notice Units of all wallets, available and locked.
    uint256 public outstanding;

    mapping(address wallet => uint256) private _available;
    mapping(address wallet => uint256) private _locked;
    mapping(uint256 jobId => Job) private _jobs;

    /// @notice Units were bought for `wallet` with the coins of `payer`.
    event Bought(address indexed wallet, address indexed payer, uint256 units);
    /// @notice Unspent units were redeemed as coins.
    event Withdrawn(address indexed wallet, uint256 units);
    /// @notice A job's estimate is locked.
    event Locked(uint256 indexed jobId, address indexed wallet, uint256 units);
    /// @notice A worker's proof is on the chain; `lastTokenAt` is microseconds since the Unix epoch.
    event Proven(uint256 indexed jobId, address indexed worker, bytes32 proofHash, uint64 lastTokenAt);
    /// @notice Units `charge` were deducted and `returned` given back; the worker got `paid` base units of the coin, the treasury the rest.
    event Settled(uint256 indexed jobId, address indexed worker, uint256 charge, uint256 returned, uint256 paid);
    /// @notice Units of a settled job came back to its client from the treasury.
    event Compensated(uint256 indexed jobId, address indexed wallet, uint256 units);
    /// @notice A job's units came back: it failed or timed out.
    event Refunded(uint256 indexed jobId, address indexed wallet, uint256 units);

    /// @notice The zero address is nobody.
    error ZeroAddress();
    /// @notice Nothing cannot be redeemed.
    error ZeroUnits();
    /// @notice A purchase is of at least `minimum` units.
    error PurchaseTooSmall(uint256 units, uint256 minimum);
    /// @notice The wallet has `available` units to spend.
    error InsufficientUnits(address wallet, uint256 available, uint256 wanted);
    /// @notice A job of that number has locked units before.
    error JobExists(uint256 jobId);
    /// @notice In its state nothing of the kind can be done with the job.
    error WrongState(uint256 jobId, State state);
    /// @notice Paid is who posted the proof.
    error NotTheProver(uint256 jobId, address account);
    /// @notice A job has one proof.
    error AlreadyProven(uint256 jobId);
    /// @notice The job holds `held` units.
    error MoreThanJobHolds(uint256 jobId, uint256 wanted, uint256 held);
    /// @notice The account has never registered.
    error NotAWorker(address account);

    /// @param coin_ an ERC-20 with at least two decimals
    /// @param admin hands out the roles
    constructor(IERC20 coin_, uint8 coinDecimals, WorkerRegistry registry_, address treasury_, address admin) {
        if (address(coin_) == address(0) || address(registry_) == address(0) || treasury_ == address(0)) {
            revert ZeroAddress();
        }
        coin = coin_;
        coinsPerUnit = 10 ** coinDecimals / UNITS_PER_COIN;
        registry = registry_;
        treasury = treasury_;
        _grantRole(DEFAULT_ADMIN_ROLE, admin);
    }

    /// @notice Buys units with the caller's coins, which it has approved before.
    /// @param wallet who gets the units: the caller itself, or a customer of the shop that calls
    /// @param units at least the minimum purchase
    function buy(address wallet, uint256 units) external nonReentrant {
        if (wallet == address(0)) revert ZeroAddress();
        if (units < MINIMUM_PURCHASE) revert PurchaseTooSmall(units, MINIMUM_PURCHASE);
        _available[wallet] += units;
        outstanding += units;
        emit Bought(wallet, msg.sender, units);
        coin.safeTransferFrom(msg.sender, address(this), units * coinsPerUnit);
    }

    /// @notice Redeems unspent units of the caller as coins, without a fee (section 1). Units that a job has locked cannot be redeemed.
    /// @param credits units to redeem
    function withdraw(uint256 credits) external nonReentrant {
        if (credits == 0) revert ZeroUnits();
        _available[msg.sender] = _leftOf(msg.sender, credits);
        outstanding -= credits;
        emit Withdrawn(msg.sender, credits);
        coin.safeTransfer(msg.sender, credits * coinsPerUnit);
    }

    /// @notice Locks a job's estimate as soon as its request arrives, before routing (section 4.1, rule 1).
    /// @param jobId a number that no job had before
    function lock(uint256 jobId, address wallet, uint64 units) external onlyRole(GATEWAY_ROLE) {
        uint256 left = _leftOf(wallet, units);
        Job storage job = _jobs[jobId];
        if (job.state != State.None) revert JobExists(jobId);
        _available[wallet] = left;
        _locked[wallet] += units;
        job.wallet = wallet;
        job.units = units;
        job.state = State.Locked;
        emit Locked(jobId, wallet, units);
    }

    /// @notice Records the proof of a job that a worker has finished. Work that comes after the refund may be proven too; it is not paid.
    /// @param worker who did the job and will be paid
    /// @param proofHash SHA-256 over the output (section 4.7)
    /// @param lastTokenAt when the last token was made, microseconds since the Unix epoch; the dispute window counts from it
    function prove(
        uint256 jobId,
        address worker,
        bytes32 proofHash,
        uint64 lastTokenAt
    ) external onlyRole(GATEWAY_ROLE) {
        Job storage job = _jobs[jobId];
        if (job.state == State.None) revert WrongState(jobId, job.state);
        if (job.worker != address(0)) revert AlreadyProven(jobId);
        if (registry.kindOf(worker) == WorkerRegistry.Kind.None) revert NotAWorker(worker);
        if (job.state == State.Locked) job.state = State.Proven;
        job.worker = worker;
        job.lastTokenAt = lastTokenAt;
        job.proofHash = proofHash;
        emit Proven(jobId, worker, proofHash, lastTokenAt);
    }

    /// @notice Deducts the charge, pays worker and treasury, and gives the rest of the lock back (section 4.1, rules 2 and 4).
    /// @param charge units, at most what was locked
    /// @param worker whom the gateway means to pay: who posted the proof
    function settle(uint256 jobId, uint64 charge, address worker) external onlyRole(GATEWAY_ROLE) nonReentrant {
        Job storage job = _jobs[jobId];
        if (job.state != State.Proven) revert WrongState(jobId, job.state);
        if (worker != job.worker) revert NotTheProver(jobId, worker);
        uint256 locked = job.units;
        if (charge > locked) revert MoreThanJobHolds(jobId, charge, locked);
        job.state = State.Settled;
        job.units = charge;
        _release(job.wallet, locked, locked - charge);
        outstanding -= charge;
        uint256 value = charge * coinsPerUnit;
        uint256 share = registry.kindOf(worker) == WorkerRegistry.Kind.Native ? NATIVE_SHARE : BROWSER_SHARE;
        uint256 paid = (value * share) / 100;
        emit Settled(jobId, worker, charge, locked - charge, paid);
        coin.safeTransfer(worker, paid);
        coin.safeTransfer(treasury, value - paid);
    }

    /// @notice Gives a job's units back: it failed, or 120 seconds passed without a worker finishing (section 4.1, rule 3).
    function refund(uint256 jobId) external onlyRole(GATEWAY_ROLE) {
        Job storage job = _jobs[jobId];
        if (job.state != State.Locked && job.state != State.Proven) revert WrongState(jobId, job.state);
        uint256 units = job.units;
        job.state = State.Refunded;
        job.units = 0;
        _release(job.wallet, units, units);
        emit Refunded(jobId, job.wallet, units);
    }

    /// @notice Gives units of a job back that was settled for a proof that arbitration found fraudulent. The treasury pays: it has approved its
    /// coins to this contract.
    /// @param units at most what the job was charged and has not got back yet
    function compensate(uint256 jobId, uint64 units) external onlyRole(ARBITRATION_ROLE) nonReentrant {
        Job storage job = _jobs[jobId];
        if (job.state != State.Settled) revert WrongState(jobId, job.state);
        if (units > job.units) revert MoreThanJobHolds(jobId, units, job.units);
        job.units -= units;
        _available[job.wallet] += units;
        outstanding += units;
        emit Compensated(jobId, job.wallet, units);
        coin.safeTransferFrom(treasury, address(this), units * coinsPerUnit);
    }

    /// @return units that the wallet can spend or redeem
    function availableOf(address wallet) external view returns (uint256) {
        return _available[wallet];
    }

    /// @return units that jobs of the wallet have locked
    function lockedOf(address wallet) external view returns (uint256) {
        return _locked[wallet];
    }

    /// @return the job's record; all zero for a job that never was
    function jobOf(uint256 jobId) external view returns (Job memory) {
        return _jobs[jobId];
    }

    /// What the wallet can spend once it has spent `units`; refused where it has not so many.
    function _leftOf(address wallet, uint256 units) private view returns (uint256) {
        uint256 available = _available[wallet];
        if (available < units) revert InsufficientUnits(wallet, available, units);
        unchecked {
            return available - units;
        }
    }

    /// Ends a lock; `back` of its units can be spent again.
    function _release(address wallet, uint256 units, uint256 back) private {
        _locked[wallet] -= units;
        if (back != 0) _available[wallet] += back;
    }
}
