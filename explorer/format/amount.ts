import { formatCount } from './number.ts';

export const STX_DECIMALS = 6;

/** An amount of base units as a decimal number, without trailing zeros. Exact: no floating point is involved. */
export function formatUnits(units: bigint, decimals: number): string {
  const sign = units < 0n ? '−' : '';
  const digits = (units < 0n ? -units : units).toString().padStart(decimals + 1, '0');
  const whole = formatCount(BigInt(digits.slice(0, digits.length - decimals)));
  const fraction = decimals === 0 ? '' : digits.slice(-decimals).replace(/0+$/, '');
  return fraction === '' ? `${sign}${whole}` : `${sign}${whole}.${fraction}`;
}

/** `1,234.5 STX` of 1234500000 micro-STX. */
export const formatStx = (micro: bigint): string => `${formatUnits(micro, STX_DECIMALS)} STX`;

/** The exact base units, for those who need them. */
export const exactStx = (micro: bigint): string => `${formatCount(micro)} micro-STX`;

/** Base units of a text from the API; undefined if the text is not a whole number. */
export const unitsOf = (text: string | number): bigint | undefined =>
  /^-?\d+$/.test(String(text)) ? BigInt(text) : undefined;
