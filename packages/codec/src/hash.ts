import { hash } from 'node:crypto';

/** SHA-512/256, the hash of transaction and block ids (SIP-005). */
export function sha512_256(bytes: Uint8Array): Uint8Array {
  return digest('sha512-256', bytes, 32);
}

/** SHA-256. */
export function sha256(bytes: Uint8Array): Uint8Array {
  return digest('sha256', bytes, 32);
}

/** RIPEMD-160 of SHA-256, the hash of public keys and scripts. */
export function hash160(bytes: Uint8Array): Uint8Array {
  return digest('ripemd160', sha256(bytes), 20);
}

/** Reading text and copying it is about twice as fast as reading a Buffer from the runtime. */
function digest(algorithm: string, bytes: Uint8Array, size: number): Uint8Array {
  const text = hash(algorithm, bytes, 'binary');
  const out = new Uint8Array(size);
  for (let i = 0; i < size; i++) out[i] = text.charCodeAt(i);
  return out;
}
