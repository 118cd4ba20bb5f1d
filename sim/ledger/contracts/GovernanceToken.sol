// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {AccessControl} from "@openzeppelin/contracts/access/AccessControl.sol";
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// @title The governance token
/// @notice What native workers stake (section 1). Using the service needs none of it.
/// @dev Eighteen decimals, as tokens have unless they say otherwise.
contract GovernanceToken is ERC20, AccessControl {
    /// @notice May mint tokens.
    bytes32 public constant ISSUER_ROLE = keccak256("ISSUER_ROLE");

    /// @param issuer holds ISSUER_ROLE and may pass it on
    constructor(address issuer) ERC20("Service Governance", "GOV") {
        _grantRole(DEFAULT_ADMIN_ROLE, issuer);
        _grantRole(ISSUER_ROLE, issuer);
    }

    /// @param to who gets the tokens
    /// @param amount base units of 10^-18 token
    function mint(address to, uint256 amount) external onlyRole(ISSUER_ROLE) {
        _mint(to, amount);
    }
}
