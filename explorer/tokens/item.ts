/** An item of a collection as people write it: most have numbers. */
export const itemText = (repr: string): string => (/^u\d+$/.test(repr) ? `#${repr.slice(1)}` : repr);

const UINT = /^0x01([0-9a-f]{32})$/i;

/** The number of an item out of its serialized value; undefined if its id is no number. */
export function itemNumber(hex: string): bigint | undefined {
  const digits = UINT.exec(hex)?.[1];
  return digits === undefined ? undefined : BigInt(`0x${digits}`);
}
