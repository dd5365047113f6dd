import { Type } from 'typebox';
import { isPrincipal, principalToBytes } from '../../codec/address/principal.ts';
import { badRequest } from '../../errors.ts';

const account = '^[0123456789ABCDEFGHJKMNPQRSTVWXYZ]{28,41}';
const contract = `${account}.[a-zA-Z]([a-zA-Z0-9]|[-_]){0,39}$`;
const description = 'An account address or a contract identifier.';

/** An account or a contract in a path or a query; only its shape is judged, in the words that clients know. */
export const PrincipalParam = Type.Union([Type.String({ pattern: account }), Type.String({ pattern: contract })], {
  description,
});

/** An account or a contract, with one pattern for both. */
export const AddressParam = Type.String({ pattern: account, description });

/** An account or a contract that nothing may follow; an address with a wrong checksum is an account without activity. */
export const WholePrincipalParam = Type.Union(
  [Type.String({ pattern: `${account}$` }), Type.String({ pattern: contract })],
  { description },
);

/** An account and no contract. */
export const WholeAccountParam = Type.String({ pattern: `${account}$`, description: 'An account address.' });

const address = /^[0-9A-HJKMNP-TV-Z]{28,41}(\.|$)/;

/** The compact form of a principal as a caller wrote it; a 400 when it is none. */
export function principalOf(text: string, message = `invalid STX address "${text}"`): Uint8Array {
  if (!address.test(text) || !isPrincipal(text)) throw badRequest(message);
  return principalToBytes(text);
}
