import type { ClarityValue } from '@cairn-stacks/codec/clarity/value';
import { fieldsOf, itemsOf, principalOf, printedFields, textOf, uintOf } from '../print-fields.ts';

/** Classes of tokens that a notification may be about, as the tables write them. Never renumber. */
export const tokenClasses = { ft: 1, nft: 2, sft: 3 } as const;
export type TokenClass = keyof typeof tokenClasses;

/** How metadata change after a notice (SIP-019), as the tables write it. Never renumber. */
export const updateModes = { standard: 1, frozen: 2, dynamic: 3 } as const;
export type UpdateMode = keyof typeof updateModes;

/** A notice that the metadata of tokens have changed (SIP-019). */
export type TokenNotification = {
  contract: string;
  tokenClass: TokenClass;
  /** The tokens that it names; undefined means all tokens of the contract. */
  tokenIds: bigint[] | undefined;
  mode: UpdateMode;
  /** Seconds after which dynamic metadata are stale; undefined if the notice has none. */
  ttl: bigint | undefined;
};

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
  const mode = textOf(payload.get('update-mode'));
  return {
    contract,
    tokenClass,
    tokenIds: payload.has('token-ids') ? tokenIdsOf(payload.get('token-ids')) : undefined,
    mode: mode !== undefined && Object.hasOwn(updateModes, mode) ? (mode as UpdateMode) : 'standard',
    ttl: uintOf(payload.get('ttl')),
  };
}

/** The numbers of a list; `none` means all tokens. */
function tokenIdsOf(value: ClarityValue | undefined): bigint[] | undefined {
  if (value?.type === 'none') return undefined;
  return itemsOf(value).flatMap(item => (item.type === 'uint' ? [item.value] : []));
}

const isTokenClass = (text: string | undefined): text is TokenClass =>
  text !== undefined && Object.hasOwn(tokenClasses, text);

/** Only the deployer of a contract, or the contract itself, may send notifications about its tokens. */
export function mayNotify({ contract }: Pick<TokenNotification, 'contract'>, sender: string, printer: string): boolean {
  return printer === contract || sender === contract.slice(0, contract.indexOf('.'));
}
