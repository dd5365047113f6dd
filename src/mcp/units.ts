import { formatUnits, tokenName } from '../read/transactions/asset-words.ts';

export const stx = (micro: string | bigint): string => `${formatUnits(BigInt(micro), 6)} STX`;
export const btc = (sats: string | bigint): string => `${formatUnits(BigInt(sats), 8)} BTC`;

/** An amount of a token in its own units; base units where the contract tells no decimals. */
export function tokenAmount(units: string, asset: string, facts: { symbol?: string; decimals?: number } = {}): string {
  const { symbol, decimals } = facts;
  const name = tokenName(asset, symbol);
  if (decimals === undefined || decimals < 0 || decimals > 40) return `${units} base units of ${name}`;
  return `${formatUnits(BigInt(units), decimals)} ${name}`;
}

export const time = (seconds: number): string => new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');
