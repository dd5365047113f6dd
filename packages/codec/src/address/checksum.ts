/** Round constants: the first 32 bits of the fractional parts of the cube roots of the first 64 primes (FIPS 180-4). */
const K = new Int32Array(64);
/** Initial state: the same of the square roots of the first 8 primes. */
const INITIAL = new Int32Array(8);

for (let candidate = 2, found = 0; found < 64; candidate++) {
  let prime = true;
  for (let d = 2; d * d <= candidate; d++) if (candidate % d === 0) prime = false;
  if (!prime) continue;
  // 2^32 × the fraction of a root below 8 needs 35 bits; a double carries 53.
  K[found] = fraction(Math.cbrt(candidate));
  if (found < 8) INITIAL[found] = fraction(Math.sqrt(candidate));
  found++;
}

function fraction(root: number): number {
  return ((root - Math.floor(root)) * 0x1_0000_0000) | 0;
}

const schedule = new Int32Array(64);
const state = new Int32Array(8);

/**
 * The first four bytes of SHA256(SHA256(version ‖ hash160)), as an integer.
 * Each of the two messages fits one block, so that this is several times faster than two calls of a general hash.
 */
export function addressChecksum(version: number, hash: Uint8Array, start = 0): number {
  const w = schedule;
  let previous = version;
  for (let i = 0; i < 5; i++) {
    const at = start + 4 * i;
    w[i] = (previous << 24) | (hash[at]! << 16) | (hash[at + 1]! << 8) | hash[at + 2]!;
    previous = hash[at + 3]!;
  }
  w[5] = (previous << 24) | 0x80_0000;
  w.fill(0, 6, 15);
  w[15] = 21 * 8;
  compress();
  w.set(state);
  w[8] = 0x8000_0000 | 0;
  w.fill(0, 9, 15);
  w[15] = 32 * 8;
  compress();
  return state[0]! >>> 0;
}

/** The SHA-256 compression of the first 16 words of the schedule into a fresh state. */
function compress(): void {
  const w = schedule;
  for (let i = 16; i < 64; i++) {
    const x = w[i - 15]!;
    const y = w[i - 2]!;
    const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
    const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
    w[i] = (w[i - 16]! + s0 + w[i - 7]! + s1) | 0;
  }
  let a = INITIAL[0]!;
  let b = INITIAL[1]!;
  let c = INITIAL[2]!;
  let d = INITIAL[3]!;
  let e = INITIAL[4]!;
  let f = INITIAL[5]!;
  let g = INITIAL[6]!;
  let h = INITIAL[7]!;
  for (let i = 0; i < 64; i++) {
    const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + K[i]! + w[i]!) | 0;
    const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + t2) | 0;
  }
  state[0] = INITIAL[0]! + a;
  state[1] = INITIAL[1]! + b;
  state[2] = INITIAL[2]! + c;
  state[3] = INITIAL[3]! + d;
  state[4] = INITIAL[4]! + e;
  state[5] = INITIAL[5]! + f;
  state[6] = INITIAL[6]! + g;
  state[7] = INITIAL[7]! + h;
}
