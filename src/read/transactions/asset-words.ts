import type { SummaryPart } from './summary-schema.ts';

const MICRO_STX_DECIMALS = 6;
const MAX_DECIMALS = 40;

/** What a contract says of its token. */
type TokenFacts = { symbol?: string; decimals?: number };

export const words = (text: string): SummaryPart => ({ kind: 'words', text });

/** An account or a contract; the address is shortened for the eye, and `id` has all of it. */
export const principalPart = (id: string): SummaryPart => ({ kind: 'principal', text: shortPrincipal(id), id });

function shortPrincipal(principal: string): string {
  const [address = '', name] = principal.split('.');
  const short = address.length > 12 ? `${address.slice(0, 5)}…${address.slice(-4)}` : address;
  return name === undefined ? short : `${short}.${name}`;
}

export const stxPart = (micro: bigint): SummaryPart => ({
  kind: 'amount',
  text: `${formatUnits(micro, MICRO_STX_DECIMALS)} STX`,
  id: 'stx',
  amount: micro.toString(),
});

/** An amount of a fungible token, in its own units where its decimals are known. */
export function tokenPart(asset: string, units: bigint, { symbol, decimals = 0 }: TokenFacts): SummaryPart {
  const scaled = formatUnits(units, decimals >= 0 && decimals <= MAX_DECIMALS ? decimals : 0);
  return { kind: 'amount', text: `${scaled} ${tokenName(asset, symbol)}`, id: asset, amount: units.toString() };
}

/** An item of a collection; only a number is shown, because other ids may be any text. */
export function itemPart(asset: string, repr: string): SummaryPart {
  const [, number] = /^u(\d{1,39})$/.exec(repr) ?? [];
  const item = number === undefined ? 'an item' : `item ${number}`;
  return { kind: 'amount', text: `${item} of ${tokenName(asset, undefined)}`, id: asset, amount: '1' };
}

/** Anybody may call a token STX or give it a symbol of any characters: then the name of its asset stands for it, with its contract. */
export function tokenName(asset: string, symbol: string | undefined): string {
  if (symbol !== undefined && /^[\w.$-]{1,20}$/.test(symbol) && !pretendsToBeStx(symbol)) return symbol;
  const [contract = '', name = ''] = asset.split('::');
  return pretendsToBeStx(name) ? `${name} (not STX, but a token of ${shortPrincipal(contract)})` : name;
}

/** Whether a name could be taken for that of the native token. */
const pretendsToBeStx = (name: string) => /^(u|micro)?stx$/i.test(name.replaceAll(/[^a-z]/gi, ''));

/** `1234567` with 6 decimals is `1.234567`; digits of thousands are grouped, zeros at the end left out. */
export function formatUnits(units: bigint, decimals: number): string {
  const digits = units.toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals).replaceAll(/\B(?=(\d{3})+$)/g, ',');
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  return fraction === '' ? whole : `${whole}.${fraction}`;
}
