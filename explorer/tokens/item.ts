import { memoText } from '../format/bytes.ts';

const NAME = /^\(tuple \(name (0x[0-9a-f]+)\) \(namespace (0x[0-9a-f]+)\)\)$/;

/** An item of a collection as people write it: most have numbers, and those of the name system are names. */
export function itemText(repr: string): string {
  if (/^u\d+$/.test(repr)) return `#${repr.slice(1)}`;
  const [, name, namespace] = NAME.exec(repr) ?? [];
  return name && namespace ? `${memoText(name)}.${memoText(namespace)}` : repr;
}

const UINT = /^0x01([0-9a-f]{32})$/i;

/** An item as an address names it: its serialized value, or simply its number. */
export const itemValue = (text: string): string =>
  /^\d{1,38}$/.test(text) ? `0x01${BigInt(text).toString(16).padStart(32, '0')}` : text;

/** The number of an item out of its serialized value; undefined if its id is no number. */
export function itemNumber(hex: string): bigint | undefined {
  const digits = UINT.exec(hex)?.[1];
  return digits === undefined ? undefined : BigInt(`0x${digits}`);
}
