import { Type } from 'typebox';
import { isPrincipal, principalToBytes } from '../codec/principal.ts';
import { badRequest } from '../errors.ts';

/** An account or a contract in a path or a query. */
export const PrincipalParam = Type.String({
  description: 'An account address or a contract identifier.',
});

/** Where only the shape is judged: an address with a wrong checksum is somebody who never acted. */
export const LoosePrincipalParam = Type.String({
  ...PrincipalParam,
  pattern: '^[0-9A-HJKMNP-TV-Z]{28,41}',
});

const address = /^[0-9A-HJKMNP-TV-Z]{28,41}(\.|$)/;

/** The compact form of a principal as a caller wrote it; a 400 when it is none. */
export function principalOf(text: string, message = `invalid STX address "${text}"`): Uint8Array {
  if (!address.test(text) || !isPrincipal(text)) throw badRequest(message);
  return principalToBytes(text);
}

/** The same where only the shape was judged; nobody has the empty name. */
export const loosePrincipalOf = (text: string): Uint8Array =>
  isPrincipal(text) ? principalToBytes(text) : new Uint8Array(0);
