// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IAccessControl} from "@openzeppelin/contracts/access/IAccessControl.sol";
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {Disputes} from "../Disputes.sol";
import {Escrow} from "../Escrow.sol";
import {WorkerRegistry} from "../WorkerRegistry.sol";
import {CHEATS} from "./Cheats.sol";
import {Network} from "./Network.sol";

/// @notice A coin that hands control to whoever is paid, in the middle of the payment: it calls back into the escrow.
contract CallingCoin is ERC20("Calling", "CALL") {
    bytes private _call;
    bool public answered;
    bytes public answer;

    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    /// What the next payment does on its way.
    function arm(bytes calldata call) external {
        _call = call;
    }

    function _update(address from, address to, uint256 amount) internal override {
        super._update(from, to, amount);
        if (_call.length == 0) return;
        bytes memory call = _call;
        _call = "";
        (answered, answer) = msg.sender.call(call);
    }
}

/// @title Who may do what, and nobody in the middle of something else
contract Rights {
    address private constant STRANGER = address(0xBAD);
    Network private _network;

    function setUp() external {
        _network = new Network();
    }

    function _refuses(address to, bytes32 role, bytes memory call) private {
        CHEATS.prank(STRANGER);
        (bool done, bytes memory answer) = to.call(call);
        bytes memory expected = abi.encodeWithSelector(
            IAccessControl.AccessControlUnauthorizedAccount.selector,
            STRANGER,
            role
        );
        require(!done && keccak256(answer) == keccak256(expected), "a stranger was not refused");
    }

    function test_strangersMayMoveNothing() external {
        Escrow escrow = _network.escrow();
        address to = address(escrow);
        bytes32 gateway = escrow.GATEWAY_ROLE();
        _refuses(to, gateway, abi.encodeCall(Escrow.lock, (1, STRANGER, 1)));
        _refuses(to, gateway, abi.encodeCall(Escrow.prove, (1, STRANGER, 0, 0)));
        _refuses(to, gateway, abi.encodeCall(Escrow.settle, (1, 1, STRANGER)));
        _refuses(to, gateway, abi.encodeCall(Escrow.refund, (1)));
        _refuses(to, escrow.ARBITRATION_ROLE(), abi.encodeCall(Escrow.compensate, (1, 1)));
        Disputes disputes = _network.disputes();
        to = address(disputes);
        _refuses(to, gateway, abi.encodeCall(Disputes.open, (1, 0, 0)));
        bytes32 arbiter = disputes.ARBITER_ROLE();
        _refuses(to, arbiter, abi.encodeCall(Disputes.decide, (1, Disputes.State.Fraudulent, 1)));
        _refuses(to, arbiter, abi.encodeCall(Disputes.slash, (1, STRANGER, 1)));
        WorkerRegistry registry = _network.registry();
        to = address(registry);
        bytes32 slasher = registry.SLASHER_ROLE();
        _refuses(to, slasher, abi.encodeCall(WorkerRegistry.slash, (STRANGER, 1, 1)));
        _refuses(to, slasher, abi.encodeCall(WorkerRegistry.hold, (STRANGER)));
        _refuses(to, slasher, abi.encodeCall(WorkerRegistry.free, (STRANGER)));
        bytes memory mint = abi.encodeWithSignature("mint(address,uint256)", STRANGER, 1);
        _refuses(address(_network.coin()), _network.coin().ISSUER_ROLE(), mint);
        _refuses(address(_network.token()), _network.token().ISSUER_ROLE(), mint);
        bytes memory grant = abi.encodeCall(IAccessControl.grantRole, (gateway, STRANGER));
        _refuses(address(escrow), 0, grant);
        _refuses(address(disputes), 0, grant);
        _refuses(address(registry), 0, grant);
    }

    function _callingEscrow() private returns (CallingCoin coin, Escrow escrow) {
        coin = new CallingCoin();
        escrow = new Escrow(IERC20(coin), 18, _network.registry(), _network.TREASURY(), address(this));
        coin.mint(address(this), 1_000 ether);
        coin.approve(address(escrow), type(uint256).max);
        escrow.buy(address(this), 500);
        escrow.buy(address(coin), 500);
    }

    /// The coin has units of its own, and tries to redeem them twice: the guard is all that stands in the way of a second payment in the first.
    function test_noWithdrawalWithinAWithdrawal() external {
        (CallingCoin coin, Escrow escrow) = _callingEscrow();
        coin.arm(abi.encodeCall(Escrow.withdraw, (500)));
        escrow.withdraw(100);
        _refused(coin);
        require(escrow.availableOf(address(coin)) == 500, "units left in the middle of a payment");
        require(escrow.outstanding() == 900, "outstanding is not what is left");
    }

    function test_noPurchaseWithinAWithdrawal() external {
        (CallingCoin coin, Escrow escrow) = _callingEscrow();
        coin.arm(abi.encodeCall(Escrow.buy, (address(coin), 100)));
        escrow.withdraw(100);
        _refused(coin);
    }

    function _refused(CallingCoin coin) private view {
        require(!coin.answered(), "the escrow let itself be called in the middle of a payment");
        require(
            bytes4(coin.answer()) == ReentrancyGuardTransient.ReentrancyGuardReentrantCall.selector,
            "refused for another reason"
        );
    }
}
