// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {AccessControl} from "@openzeppelin/contracts/access/AccessControl.sol";
import {Escrow} from "./Escrow.sol";
import {WorkerRegistry} from "./WorkerRegistry.sol";

/// @title Disputes
/// @notice A client challenges the result of a proven job within 60 seconds of its last token when the text it received has another hash
/// than the worker posted; arbitration takes 24 hours (sections 3.1, 4.7, 8). A fraudulent proof costs the worker stake.
/// @dev Times are microseconds since the Unix epoch as the gateway stamps them: the last token with the proof, the request with the dispute.
/// A block has whole seconds only, and comes later than what it holds; a request made in time must not fail for that.
contract Disputes is AccessControl {
    enum State {
        None,
        Open,
        Fraudulent,
        Honest
    }

    struct Dispute {
        State state;
        bool slashed;
        uint64 openedAt;
        bytes32 receivedHash;
    }

    /// @notice Passes disputes of clients on: the gateway.
    bytes32 public constant GATEWAY_ROLE = keccak256("GATEWAY_ROLE");
    /// @notice Gives verdicts.
    bytes32 public constant ARBITER_ROLE = keccak256("ARBITER_ROLE");
    /// @notice From the last token to the request, in microseconds; its last microsecond is inside.
    uint64 public constant WINDOW = 60_000_000;
    /// @notice From the request to the end of arbitration, in seconds.
    uint64 public constant ARBITRATION = 24 hours;

    Escrow public immutable escrow;
    WorkerRegistry public immutable registry;

    mapping(uint256 jobId => Dispute) private _disputes;

    /// @notice A client challenges a result; `arbitrationEnds` is Unix seconds.
    event DisputeOpened(uint256 indexed jobId, address indexed worker, bytes32 receivedHash, uint256 arbitrationEnds);
    /// @notice Arbitration has ended.
    event DisputeClosed(uint256 indexed jobId, address indexed worker, State verdict);

    /// @notice Only a proven or settled job can be disputed.
    error NotProven(uint256 jobId, Escrow.State state);
    /// @notice A job is disputed once.
    error AlreadyDisputed(uint256 jobId);
    /// @notice The request came more than 60 seconds after the last token; microseconds since the Unix epoch.
    error WindowExpired(uint256 jobId, uint64 lastTokenAt, uint64 receivedAt);
    /// @notice The request is stamped later than its block.
    error FromTheFuture(uint64 receivedAt, uint256 blockTime);
    /// @notice The client received what the worker posted.
    error HashesEqual(uint256 jobId);
    /// @notice No dispute about the job is open.
    error NotOpen(uint256 jobId);
    /// @notice A verdict is Fraudulent or Honest.
    error NoVerdict();
    /// @notice Slashed is who posted the proof.
    error NotTheProver(uint256 jobId, address account);
    /// @notice No verdict of fraud, or slashed for it before.
    error NothingToSlash(uint256 jobId);
    /// @notice Arbitration goes on until `arbitrationEnds`, Unix seconds.
    error StillOpen(uint256 jobId, uint256 arbitrationEnds);

    /// @param admin hands out the roles
    constructor(Escrow escrow_, WorkerRegistry registry_, address admin) {
        escrow = escrow_;
        registry = registry_;
        _grantRole(DEFAULT_ADMIN_ROLE, admin);
    }

    /// @notice Opens a dispute. The worker's stake is held from now to the verdict.
    /// @param receivedHash SHA-256 over the text that the client received
    /// @param receivedAt when the request reached the gateway, microseconds since the Unix epoch
    function open(uint256 jobId, bytes32 receivedHash, uint64 receivedAt) external onlyRole(GATEWAY_ROLE) {
        Dispute storage dispute = _disputes[jobId];
        if (dispute.state != State.None) revert AlreadyDisputed(jobId);
        Escrow.Job memory job = escrow.jobOf(jobId);
        if (job.state != Escrow.State.Proven && job.state != Escrow.State.Settled) revert NotProven(jobId, job.state);
        if (receivedAt > job.lastTokenAt + WINDOW) revert WindowExpired(jobId, job.lastTokenAt, receivedAt);
        if (receivedAt / 1_000_000 > block.timestamp) revert FromTheFuture(receivedAt, block.timestamp);
        if (receivedHash == job.proofHash) revert HashesEqual(jobId);
        dispute.state = State.Open;
        dispute.openedAt = receivedAt;
        dispute.receivedHash = receivedHash;
        emit DisputeOpened(jobId, job.worker, receivedHash, _ends(dispute));
        registry.hold(job.worker);
    }

    /// @notice Ends arbitration with a verdict.
    /// @param verdict Fraudulent or Honest
    /// @param compensation units that the treasury gives back to the client; 0 with Honest
    function decide(uint256 jobId, State verdict, uint64 compensation) external onlyRole(ARBITER_ROLE) {
        if (verdict != State.Fraudulent && verdict != State.Honest) revert NoVerdict();
        _close(jobId, verdict);
        if (compensation != 0) escrow.compensate(jobId, compensation);
    }

    /// @notice Takes stake from the worker of a fraudulent proof, once for each.
    /// @param worker whom the arbiter means to slash: who posted the proof
    /// @param amount base units of the governance token, at most the stake
    function slash(uint256 jobId, address worker, uint128 amount) external onlyRole(ARBITER_ROLE) {
        Dispute storage dispute = _disputes[jobId];
        if (dispute.state != State.Fraudulent || dispute.slashed) revert NothingToSlash(jobId);
        if (worker != escrow.jobOf(jobId).worker) revert NotTheProver(jobId, worker);
        dispute.slashed = true;
        registry.slash(worker, jobId, amount);
    }

    /// @notice Ends arbitration that brought no verdict within 24 hours: nothing was proven against the worker. Anybody may call.
    function expire(uint256 jobId) external {
        uint256 ends = _ends(_disputes[jobId]);
        if (block.timestamp <= ends) revert StillOpen(jobId, ends);
        _close(jobId, State.Honest);
    }

    /// @return the dispute about a job; all zero where there is none
    function disputeOf(uint256 jobId) external view returns (Dispute memory) {
        return _disputes[jobId];
    }

    function _close(uint256 jobId, State verdict) private {
        Dispute storage dispute = _disputes[jobId];
        if (dispute.state != State.Open) revert NotOpen(jobId);
        dispute.state = verdict;
        address worker = escrow.jobOf(jobId).worker;
        emit DisputeClosed(jobId, worker, verdict);
        registry.free(worker);
    }

    /// Unix seconds.
    function _ends(Dispute storage dispute) private view returns (uint256) {
        return dispute.openedAt / 1_000_000 + ARBITRATION;
    }
}
