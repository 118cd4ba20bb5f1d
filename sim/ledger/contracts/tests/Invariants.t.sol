// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Disputes} from "../Disputes.sol";
import {Escrow} from "../Escrow.sol";
import {WorkerRegistry} from "../WorkerRegistry.sol";
import {Network} from "./Network.sol";

/// @title What holds after every call, whoever calls what in whatever order
contract Invariants {
    Network private _network;
    Escrow private _escrow;
    WorkerRegistry private _registry;

    function setUp() external {
        _network = new Network();
        _escrow = _network.escrow();
        _registry = _network.registry();
    }

    /// Forge calls these and nothing else.
    function targetContracts() external view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(_network);
    }

    function invariant_books() external view {
        _escrowIsSolvent();
        _unitsAddUp();
        _coinsStay();
        _stakeIsHeld();
        _disputesHoldStake();
        _jobsEndOnce();
        _shares();
    }

    /// @notice The escrow can pay what it owes: its coins are the units outstanding.
    function _escrowIsSolvent() private view {
        require(
            _network.coin().balanceOf(address(_escrow)) == _escrow.outstanding() * _escrow.coinsPerUnit(),
            "coins held are not units outstanding"
        );
    }

    /// @notice Units outstanding are what wallets have, available and locked; what is locked is what open jobs hold.
    function _unitsAddUp() private view {
        uint256[] memory held = new uint256[](_network.WALLETS());
        for (uint256 job = 0; job < _network.JOBS(); job++) {
            Escrow.Job memory record = _escrow.jobOf(job);
            if (record.state != Escrow.State.Locked && record.state != Escrow.State.Proven) continue;
            for (uint256 i = 0; i < held.length; i++) if (record.wallet == _network.wallet(i)) held[i] += record.units;
        }
        uint256 sum;
        for (uint256 i = 0; i < held.length; i++) {
            address wallet = _network.wallet(i);
            require(_escrow.lockedOf(wallet) == held[i], "locked is not what open jobs hold");
            sum += held[i] + _escrow.availableOf(wallet);
        }
        require(_escrow.outstanding() == sum, "outstanding is not what wallets have");
    }

    /// @notice No coin is made or lost: what shop and treasury began with is with the escrow, or with whoever was paid.
    function _coinsStay() private view {
        uint256 sum = _network.coin().balanceOf(address(_escrow));
        sum += _network.coin().balanceOf(_network.SHOP()) + _network.coin().balanceOf(_network.TREASURY());
        for (uint256 i = 0; i < _network.WALLETS(); i++) sum += _network.coin().balanceOf(_network.wallet(i));
        for (uint256 i = 0; i < _network.WORKERS(); i++) sum += _network.coin().balanceOf(_network.worker(i));
        require(sum == _network.coin().totalSupply(), "coins are missing");
    }

    /// @notice The registry holds what it records as stake, and records what it holds.
    function _stakeIsHeld() private view {
        uint256 sum;
        for (uint256 i = 0; i < _network.WORKERS(); i++) sum += _registry.stakeOf(_network.worker(i));
        require(_registry.totalStaked() == sum, "stakes do not add up");
        require(_network.token().balanceOf(address(_registry)) == sum, "tokens held are not stake recorded");
    }

    /// @notice Stake is held for as many disputes as are open.
    function _disputesHoldStake() private view {
        uint256[] memory open = new uint256[](_network.WORKERS());
        for (uint256 job = 0; job < _network.JOBS(); job++) {
            if (_network.disputes().disputeOf(job).state != Disputes.State.Open) continue;
            address prover = _escrow.jobOf(job).worker;
            for (uint256 i = 0; i < open.length; i++) if (prover == _network.worker(i)) open[i]++;
        }
        for (uint256 i = 0; i < open.length; i++) {
            uint256 held = _registry.workerOf(_network.worker(i)).openDisputes;
            require(held == open[i], "stake is held for other disputes");
        }
    }

    /// @notice A job ends once, and stays as it ended.
    function _jobsEndOnce() private view {
        for (uint256 job = 0; job < _network.JOBS(); job++) {
            uint256 endings = _network.endings(job);
            require(endings <= 1, "a job ended twice");
            bool stayed = endings == 0 || _escrow.jobOf(job).state == _network.ended(job);
            require(stayed, "a job did not stay as it ended");
        }
    }

    /// @notice Workers and the treasury have what was settled, the worker's share first: 85 % to native ones, 75 % to browsers.
    function _shares() private view {
        uint256 cents = _escrow.coinsPerUnit() / 100;
        uint256 paid;
        for (uint256 i = 0; i < _network.WORKERS(); i++) {
            address worker = _network.worker(i);
            uint256 earned = _network.coin().balanceOf(worker);
            uint256 share = _registry.kindOf(worker) == WorkerRegistry.Kind.Native ? 85 : 75;
            require(earned % (cents * share) == 0, "a worker was paid another share");
            paid += earned;
        }
        uint256 given = _network.coin().totalSupply() - 2 * _network.FLOAT();
        uint256 treasury = _network.coin().balanceOf(_network.TREASURY());
        require(
            treasury + paid == _network.FLOAT() + given + _network.settled() * _escrow.coinsPerUnit(),
            "what was settled is not what was paid"
        );
    }
}
