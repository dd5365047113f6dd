import { Type } from 'typebox';

/** The index of a bond. A negative number is valid and names no bond. */
export const BondParam = Type.Integer({
  minimum: -2_147_483_648,
  maximum: 2_147_483_647,
  description: 'Index of the bond.',
});
