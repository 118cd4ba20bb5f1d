// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Escrow} from "./Escrow.sol";
import {WorkerRegistry} from "./WorkerRegistry.sol";

/// @title A look at everybody's books at once
/// @notice Balances of many accounts in one call, for whoever compares chains. It holds nothing and changes nothing.
contract Lens {
    struct Totals {
        /// Units of all wallets, available and locked.
        uint256 outstanding;
        /// Base units of the coin that the escrow and the treasury hold.
        uint256 escrowCoins;
        uint256 treasuryCoins;
        /// Base units of the governance token: recorded as stake, held by the registry, held by the treasury.
        uint256 totalStaked;
        uint256 registryTokens;
        uint256 treasuryTokens;
    }

    struct Wallet {
        uint256 available;
        uint256 locked;
        uint256 coins;
    }

    struct Worker {
        WorkerRegistry.Kind kind;
        uint256 stake;
        uint256 coins;
        uint256 tokens;
    }

    Escrow public immutable escrow;
    WorkerRegistry public immutable registry;

    constructor(Escrow escrow_) {
        escrow = escrow_;
        registry = escrow_.registry();
    }

    /// @return sums over all accounts
    function totals() public view returns (Totals memory) {
        IERC20 coin = escrow.coin();
        IERC20 token = registry.token();
        return
            Totals({
                outstanding: escrow.outstanding(),
                escrowCoins: coin.balanceOf(address(escrow)),
                treasuryCoins: coin.balanceOf(escrow.treasury()),
                totalStaked: registry.totalStaked(),
                registryTokens: token.balanceOf(address(registry)),
                treasuryTokens: token.balanceOf(registry.treasury())
            });
    }

    /// @return the sums, then one record for each account, in the order given
    function books(
        address[] calldata wallets,
        address[] calldata workers
    ) external view returns (Totals memory, Wallet[] memory, Worker[] memory) {
        IERC20 coin = escrow.coin();
        IERC20 token = registry.token();
        Wallet[] memory w = new Wallet[](wallets.length);
        for (uint256 i = 0; i < wallets.length; i++) {
            address a = wallets[i];
            w[i] = Wallet(escrow.availableOf(a), escrow.lockedOf(a), coin.balanceOf(a));
        }
        Worker[] memory k = new Worker[](workers.length);
        for (uint256 i = 0; i < workers.length; i++) {
            address a = workers[i];
            k[i] = Worker(registry.kindOf(a), registry.stakeOf(a), coin.balanceOf(a), token.balanceOf(a));
        }
        return (totals(), w, k);
    }
}
