import { bareHex } from '@cairn-stacks/codec/hex';
import { recoverKey } from '@cairn-stacks/codec/transaction/verification';
import { ByteBoundedCache } from './byte-bounded-cache.ts';

const MAX_BYTES = 4 << 20;
const KEY_BYTES = 66;

/** Public keys that signed blocks, in hex: recovering one takes about a millisecond. */
export class RecoveredKeys {
  readonly #keys = new ByteBoundedCache<string>(MAX_BYTES);

  /** The key that made a signature of a block; undefined for a signature that nobody can have made. */
  keyOf(hash: Uint8Array, signature: Uint8Array): string | undefined {
    const [block, key] = [bareHex(hash), bareHex(signature.subarray(1, 9))];
    const known = this.#keys.get(block, key) ?? recover(hash, signature);
    this.#keys.set(block, key, known, KEY_BYTES);
    return known === '' ? undefined : known;
  }
}

function recover(hash: Uint8Array, signature: Uint8Array): string {
  try {
    return bareHex(recoverKey(hash, signature, 'compressed'));
  } catch {
    // Not a point of the curve.
    return '';
  }
}
