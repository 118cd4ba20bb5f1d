// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @notice What these tests use of Forge's cheat codes.
interface Cheats {
    /// The next call comes from `sender`.
    function prank(address sender) external;

    /// Sets the time of the block, Unix seconds.
    function warp(uint256 time) external;
}

Cheats constant CHEATS = Cheats(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);
