/** A stretch of the bytes of a transaction, with its meaning. */
export type RawField = { name: string; hex: string };

/** Cuts the hexadecimal text of a transaction into its fields (SIP-005). What cannot be cut stays one field. */
export function rawFields(hex: string): RawField[] {
  const cutter = new Cutter(hex.startsWith('0x') ? hex.slice(2) : hex);
  cutter.take('Version', 1);
  cutter.take('Chain id', 4);
  const auth = cutter.take('Authorization', 1);
  const complete = spendingCondition(cutter, 'Sender') && (auth !== '05' || spendingCondition(cutter, 'Sponsor'));
  if (complete) {
    cutter.take('Anchor mode', 1);
    cutter.take('Post-condition mode', 1);
    const count = cutter.take('Number of post-conditions', 4);
    if (count === '00000000') cutter.take('Payload type', 1);
    cutter.rest(count === '00000000' ? 'Payload' : 'Post-conditions and payload');
  } else cutter.rest('The rest');
  return cutter.fields;
}

const singleSignature = ['00', '02'];
const KEY_OR_SIGNATURE: Readonly<Record<string, number>> = { '00': 33, '01': 33, '02': 65, '03': 65 };

function spendingCondition(cutter: Cutter, who: string): boolean {
  const mode = cutter.take(`${who}: hash mode`, 1);
  cutter.take(`${who}: hash of the key`, 20);
  cutter.take(`${who}: nonce`, 8);
  cutter.take(`${who}: fee`, 8);
  if (mode !== undefined && singleSignature.includes(mode)) {
    cutter.take(`${who}: key encoding`, 1);
    return cutter.take(`${who}: signature`, 65) !== undefined;
  }
  const count = Number.parseInt(cutter.take(`${who}: number of keys and signatures`, 4) ?? '', 16);
  for (let i = 0; i < count; i++) {
    const length = KEY_OR_SIGNATURE[cutter.peek(1) ?? ''];
    if (length === undefined || cutter.take(`${who}: key or signature`, 1 + length) === undefined) return false;
  }
  return cutter.take(`${who}: signatures needed`, 2) !== undefined;
}

class Cutter {
  readonly fields: RawField[] = [];
  readonly #hex: string;
  #at = 0;

  constructor(hex: string) {
    this.#hex = hex;
  }

  peek(bytes: number): string | undefined {
    const end = this.#at + bytes * 2;
    return end <= this.#hex.length ? this.#hex.slice(this.#at, end) : undefined;
  }

  take(name: string, bytes: number): string | undefined {
    const hex = this.peek(bytes);
    if (hex === undefined) return undefined;
    this.#at += bytes * 2;
    this.fields.push({ name, hex });
    return hex;
  }

  rest(name: string): void {
    if (this.#at < this.#hex.length) this.fields.push({ name, hex: this.#hex.slice(this.#at) });
    this.#at = this.#hex.length;
  }
}
