import { sha256 } from '@cairn-stacks/codec/hash';

/** Values up to this length are their own key; an index of the database takes little more than twice as much. */
const longest = 1_000;
/** No Clarity value begins with this byte. */
const hashed = 0xff;

/** The key of an NFT value: the value, or its hash if it is too long. Events contain the value itself. */
export const nftKey = (value: Uint8Array): Uint8Array =>
  value.length <= longest ? value : Uint8Array.of(hashed, ...sha256(value));
