import { isPrincipal, principalToBytes } from '@cairn-stacks/codec/address/principal';
import { Type } from 'typebox';
import { badRequest } from '../../errors.ts';
import { addressShape, looseContractPattern, namedContractPattern, startsWithAddress } from './principal-pattern.ts';

const account = `^${addressShape}`;
const description = 'An account address or a contract identifier.';

/** An account or a contract in a path or a query; only its shape is judged, in the words that clients know. */
export const PrincipalParam = Type.Union(
  [Type.String({ pattern: account }), Type.String({ pattern: looseContractPattern })],
  {
    description,
  },
);

/** An account or a contract, with one pattern for both. */
export const PrincipalPrefixParam = Type.String({ pattern: account, description });

/**
 * An account or a contract that nothing may follow, also one that only values name; an address with a wrong checksum is an
 * account without activity.
 */
export const ExactPrincipalParam = Type.Union(
  [Type.String({ pattern: `${account}$` }), Type.String({ pattern: namedContractPattern })],
  { description },
);

/** An account and no contract. */
export const ExactAccountParam = Type.String({ pattern: `${account}$`, description: 'An account address.' });

/** The compact form of a principal as a caller wrote it; a 400 when it is none. */
export function principalOf(text: string, message = `invalid STX address "${text}"`): Uint8Array {
  if (!startsWithAddress(text) || !isPrincipal(text)) throw badRequest(message);
  return principalToBytes(text);
}
