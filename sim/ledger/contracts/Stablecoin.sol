// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {AccessControl} from "@openzeppelin/contracts/access/AccessControl.sol";
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// @title The settlement stablecoin
/// @notice The coin that buys units (section 1): 1 coin is 100 units. It stands in for a coin that somebody else issues, so it is an
/// ERC-20 and no more, with an issuer who mints.
/// @dev Six decimals, like the dollar coins in use. One unit is then 10,000 base units, and both shares of section 1 (85 % and 75 % of a
/// whole number of units) are whole numbers of base units: no split ever rounds.
contract Stablecoin is ERC20, AccessControl {
    /// @notice May mint coins.
    bytes32 public constant ISSUER_ROLE = keccak256("ISSUER_ROLE");

    /// @param issuer holds ISSUER_ROLE and may pass it on
    constructor(address issuer) ERC20("Settlement Dollar", "USDS") {
        _grantRole(DEFAULT_ADMIN_ROLE, issuer);
        _grantRole(ISSUER_ROLE, issuer);
    }

    /// @notice Makes coins against money that the issuer has received.
    /// @param to who gets them
    /// @param amount base units
    function mint(address to, uint256 amount) external onlyRole(ISSUER_ROLE) {
        _mint(to, amount);
    }

    /// @inheritdoc ERC20
    function decimals() public pure override returns (uint8) {
        return 6;
    }
}
