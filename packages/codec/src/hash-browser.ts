import { ripemd160 } from '@noble/hashes/legacy.js';
import { sha256 as nobleSha256, sha512_256 as nobleSha512_256 } from '@noble/hashes/sha2.js';

/** SHA-512/256, the hash of transaction and block ids (SIP-005). */
export function sha512_256(bytes: Uint8Array): Uint8Array {
  return nobleSha512_256(bytes);
}

/** SHA-256. */
export function sha256(bytes: Uint8Array): Uint8Array {
  return nobleSha256(bytes);
}

/** RIPEMD-160 of SHA-256, the hash of public keys and scripts. */
export function hash160(bytes: Uint8Array): Uint8Array {
  return ripemd160(nobleSha256(bytes));
}
