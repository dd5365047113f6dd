import { fieldsOf, principalOf, printedFields, textOf } from '../print-fields.ts';

/** Classes of tokens that a notification may be about, as the tables write them. Never renumber. */
export const tokenClasses = { ft: 1, nft: 2, sft: 3 } as const;
type TokenClass = keyof typeof tokenClasses;

/** A notice that the metadata of tokens have changed (SIP-019). */
export type TokenNotification = { contract: string; tokenClass: TokenClass };

const marker = Buffer.from('token-metadata-update');
const tuplePrefix = 0x0c;

/** Reads a notice out of a print of any contract; undefined when it is none. */
export function readTokenNotification(value: Uint8Array): TokenNotification | undefined {
  // Every print of the chain passes here: a look at the bytes spares nearly all of them the decoding.
  if (value[0] !== tuplePrefix) return undefined;
  if (!Buffer.from(value.buffer, value.byteOffset, value.byteLength).includes(marker)) return undefined;
  const fields = printedFields(value);
  if (textOf(fields?.get('notification')) !== 'token-metadata-update') return undefined;
  const payload = fieldsOf(fields?.get('payload'));
  const contract = principalOf(payload.get('contract-id'));
  const tokenClass = textOf(payload.get('token-class'));
  if (!contract?.includes('.') || !isTokenClass(tokenClass)) return undefined;
  return { contract, tokenClass };
}

const isTokenClass = (text: string | undefined): text is TokenClass =>
  text !== undefined && Object.hasOwn(tokenClasses, text);

/** Only the deployer of a contract, or the contract itself, may send notifications about its tokens. */
export function mayNotify({ contract }: TokenNotification, sender: string, printer: string): boolean {
  return printer === contract || sender === contract.slice(0, contract.indexOf('.'));
}
