// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Disputes} from "../Disputes.sol";
import {Escrow} from "../Escrow.sol";
import {GovernanceToken} from "../GovernanceToken.sol";
import {Stablecoin} from "../Stablecoin.sol";
import {WorkerRegistry} from "../WorkerRegistry.sol";
import {CHEATS} from "./Cheats.sol";

/// @title The contracts as a run sets them up, and everybody who calls them
/// @dev Forge calls the functions below in random order with random arguments; most are narrowed so that most calls get somewhere, and what the
/// contracts refuse is refused. Beside the contracts' own books it keeps some that only add up what was seen to happen.
contract Network {
    address public constant GATEWAY = address(0x6A7E);
    address public constant ARBITER = address(0xA4B1);
    address public constant TREASURY = address(0x74EA);
    address public constant SHOP = address(0x5409);
    uint256 public constant WALLETS = 3;
    uint256 public constant WORKERS = 3;
    uint256 public constant JOBS = 16;
    uint256 public constant FLOAT = 10 ** 15;
    /// Microseconds in a second.
    uint64 private constant MICROS = 1_000_000;

    Stablecoin public immutable coin = new Stablecoin(address(this));
    GovernanceToken public immutable token = new GovernanceToken(address(this));
    WorkerRegistry public immutable registry;
    Escrow public immutable escrow;
    Disputes public immutable disputes;

    /// Units that workers and treasury were paid for, less what the treasury gave back.
    uint256 public settled;
    /// The state in which each job ended, and how often it was seen to end.
    mapping(uint256 jobId => Escrow.State) public ended;
    mapping(uint256 jobId => uint256) public endings;
    /// Calls that went through, by name.
    mapping(bytes32 name => uint256) public went;

    uint256 private _now = 1_780_000_000;

    constructor() {
        registry = new WorkerRegistry(IERC20(token), TREASURY, address(this));
        escrow = new Escrow(IERC20(coin), 6, registry, TREASURY, address(this));
        disputes = new Disputes(escrow, registry, address(this));
        escrow.grantRole(escrow.GATEWAY_ROLE(), GATEWAY);
        escrow.grantRole(escrow.ARBITRATION_ROLE(), address(disputes));
        disputes.grantRole(disputes.GATEWAY_ROLE(), GATEWAY);
        disputes.grantRole(disputes.ARBITER_ROLE(), ARBITER);
        registry.grantRole(registry.SLASHER_ROLE(), address(disputes));
        coin.mint(SHOP, FLOAT);
        coin.mint(TREASURY, FLOAT);
        for (uint256 i = 0; i < 2; i++) {
            CHEATS.prank(i == 0 ? SHOP : TREASURY);
            coin.approve(address(escrow), type(uint256).max);
        }
        CHEATS.warp(_now);
        for (uint256 i = 0; i < WALLETS; i++) {
            CHEATS.prank(SHOP);
            escrow.buy(wallet(i), 1_000);
        }
        for (uint256 i = 0; i < WORKERS; i++) _stake(worker(i), i != 0, i == 0 ? 0 : 1_500 ether);
    }

    modifier counted(bytes32 name) {
        CHEATS.warp(_now);
        _;
        went[name]++;
    }

    function wallet(uint256 at) public pure returns (address) {
        return address(uint160(0x1000 + (at % WALLETS)));
    }

    function worker(uint256 at) public pure returns (address) {
        return address(uint160(0x2000 + (at % WORKERS)));
    }

    function buy(uint256 who, uint256 units) external counted("buy") {
        CHEATS.prank(SHOP);
        escrow.buy(wallet(who), units % 1_000);
    }

    /// Now and then as much as there is, or one more than that.
    function withdraw(uint256 who, uint256 units) external counted("withdraw") {
        address from = wallet(who);
        uint256 available = escrow.availableOf(from);
        CHEATS.prank(from);
        escrow.withdraw(units % 8 == 0 ? available + ((units / 8) % 2) : units % 50);
    }

    function lock(uint256 job, uint256 who, uint64 units) external counted("lock") {
        uint256 jobId = _find(job, Escrow.State.None);
        CHEATS.prank(GATEWAY);
        escrow.lock(jobId, wallet(who), units % 200);
    }

    function prove(uint256 job, uint256 who, bool honest) external counted("prove") {
        uint256 jobId = _find(job, Escrow.State.Locked);
        CHEATS.prank(GATEWAY);
        escrow.prove(jobId, worker(who), honest ? bytes32(jobId) : bytes32(type(uint256).max), _stamp());
    }

    /// To whom the proof is from, mostly, and for what is locked, mostly.
    function settle(uint256 job, uint64 charge, uint256 who) external counted("settle") {
        uint256 jobId = _find(job, Escrow.State.Proven);
        Escrow.Job memory record = escrow.jobOf(jobId);
        address to = who % 8 == 0 ? worker(who / 8) : record.worker;
        uint64 amount = charge % 8 == 0 ? charge : charge % (record.units + 1);
        CHEATS.prank(GATEWAY);
        escrow.settle(jobId, amount, to);
        settled += amount;
        _end(jobId);
    }

    function refund(uint256 job) external counted("refund") {
        Escrow.State[4] memory states = [
            Escrow.State.None,
            Escrow.State.Locked,
            Escrow.State.Settled,
            Escrow.State.Refunded
        ];
        uint256 jobId = _find(job, job % 32 == 0 ? Escrow.State.Proven : states[job % 4]);
        CHEATS.prank(GATEWAY);
        escrow.refund(jobId);
        _end(jobId);
    }

    function dispute(uint256 job, uint64 late) external counted("dispute") {
        uint256 jobId = _undisputed(job, job % 4 == 0 ? Escrow.State.Proven : Escrow.State.Settled);
        CHEATS.prank(GATEWAY);
        disputes.open(jobId, bytes32(jobId), _stamp() - (late % 2) * MICROS);
    }

    function decide(uint256 job, bool fraudulent, uint64 units) external counted("decide") {
        uint256 jobId = _disputed(job, Disputes.State.Open);
        uint64 back = fraudulent ? units % (escrow.jobOf(jobId).units + 2) : 0;
        CHEATS.prank(ARBITER);
        disputes.decide(jobId, fraudulent ? Disputes.State.Fraudulent : Disputes.State.Honest, back);
        settled -= back;
    }

    function expire(uint256 job) external counted("expire") {
        disputes.expire(_disputed(job, Disputes.State.Open));
    }

    function slash(uint256 job, uint128 amount) external counted("slash") {
        uint256 jobId = _disputed(job, Disputes.State.Fraudulent);
        address prover = escrow.jobOf(jobId).worker;
        CHEATS.prank(ARBITER);
        disputes.slash(jobId, prover, amount % 4 == 0 ? amount % 2_000 ether : amount % 200 ether);
    }

    /// Mostly as the kind that the worker has; native ones bring 900 to 1,500 tokens.
    function stake(uint256 who, uint128 amount) external counted("stake") {
        bool native = who % 8 == 0 ? amount % 2 == 0 : who % WORKERS != 0;
        _stake(worker(who), native, native ? 900 ether + (amount % 600 ether) : amount % 10 ether);
    }

    function unstake(uint256 who, uint128 amount) external counted("unstake") {
        address from = worker(who);
        uint256 has = registry.stakeOf(from);
        CHEATS.prank(from);
        registry.unstake(amount % 2 == 0 ? uint128(has) : amount % 500 ether);
    }

    /// Coins and tokens that somebody sends without a purchase: they must be nobody's.
    function give(uint256 amount) external counted("give") {
        coin.mint(TREASURY, amount % 10_000);
        token.mint(TREASURY, amount % 1 ether);
    }

    /// Seconds mostly, half a day now and then.
    function pass(uint256 seconds_) external {
        _now += seconds_ % 16 == 0 ? 12 hours : seconds_ % 10;
    }

    function _stake(address from, bool native, uint128 tokens) private {
        token.mint(from, tokens);
        CHEATS.prank(from);
        token.approve(address(registry), tokens);
        // Not one prank for both calls: it would outlive a refusal.
        CHEATS.prank(from);
        registry.stake(native ? WorkerRegistry.Kind.Native : WorkerRegistry.Kind.Browser, tokens);
    }

    /// The next job in that state, or else the one that was drawn: it is refused.
    function _find(uint256 job, Escrow.State state) private view returns (uint256) {
        for (uint256 i = 0; i < JOBS; i++) {
            if (escrow.jobOf((job % JOBS + i) % JOBS).state == state) return (job % JOBS + i) % JOBS;
        }
        return job % JOBS;
    }

    function _undisputed(uint256 job, Escrow.State state) private view returns (uint256) {
        for (uint256 i = 0; i < JOBS; i++) {
            uint256 jobId = (job % JOBS + i) % JOBS;
            bool fresh = disputes.disputeOf(jobId).state == Disputes.State.None;
            if (fresh && escrow.jobOf(jobId).state == state) return jobId;
        }
        return job % JOBS;
    }

    function _disputed(uint256 job, Disputes.State state) private view returns (uint256) {
        for (uint256 i = 0; i < JOBS; i++) {
            if (disputes.disputeOf((job % JOBS + i) % JOBS).state == state) return (job % JOBS + i) % JOBS;
        }
        return job % JOBS;
    }

    function _stamp() private view returns (uint64) {
        return uint64(_now) * MICROS;
    }

    function _end(uint256 jobId) private {
        ended[jobId] = escrow.jobOf(jobId).state;
        endings[jobId]++;
    }
}
