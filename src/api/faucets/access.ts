import { type BitcoinNetwork, bitcoinToPoxAddress } from '@cairn-stacks/codec/address/bitcoin-address';
import { isPrincipal } from '@cairn-stacks/codec/address/principal';
import { CodecError } from '@cairn-stacks/codec/error';
import type { BitcoinFaucet } from './bitcoin-faucet.ts';
import { type Allowance, Claims } from './claims.ts';
import { faucetError } from './faucet.ts';
import type { StacksFaucet } from './stacks-faucet.ts';

/** The faucets that are enabled. Mainnet has none. */
export type Faucets = {
  stx?: { faucet: StacksFaucet; minimumStacking(): Promise<bigint> };
  sbtc?: { faucet: StacksFaucet; contract: string; amount: bigint };
  btc?: BitcoinFaucet;
};

/** Shared by the faucet routes of all versions: which faucets are enabled, and how much each address received. */
export type FaucetAccess = ReturnType<typeof openFaucetAccess>;

export const defaultAllowance: Allowance = { times: 5, windowMs: 5 * 60_000 };

export function openFaucetAccess(isMainnet: boolean, faucets: Faucets) {
  const claims = new Claims();
  return {
    faucets,
    available<T>(faucet: T | undefined, name: string): T {
      if (isMainnet) throw faucetError(403, 'Faucet is not available');
      if (!faucet) throw faucetError(403, `${name} faucet is not available`);
      return faucet;
    },
    /** Runs `give` unless the address has used up its allowance; a failed run does not count. */
    async claim<T>(key: string, give: () => Promise<T>, allowance = defaultAllowance): Promise<T> {
      if (!claims.take(key, allowance)) throw faucetError(429, 'Too many requests');
      try {
        return await give();
      } catch (error) {
        claims.undo(key);
        throw error;
      }
    },
  };
}

export function stacksAddress(text: string | undefined): string {
  if (!text) throw faucetError(400, 'address required');
  if (!isPrincipal(text)) throw faucetError(400, 'Invalid address: not a Stacks address');
  // No node of a test network takes a transfer to it.
  if (/^S[PM]/.test(text))
    throw faucetError(400, 'Invalid address: it is of mainnet, send one that begins with ST or SN');
  return text;
}

const TEST_NETWORKS: ReadonlySet<BitcoinNetwork> = new Set(['testnet', 'regtest']);

export function bitcoinAddress(text: string | undefined): string {
  if (!text) throw faucetError(400, 'address required');
  try {
    if (TEST_NETWORKS.has(bitcoinToPoxAddress(text).network)) return text;
  } catch (error) {
    if (!(error instanceof CodecError)) throw error;
  }
  throw faucetError(400, 'Invalid BTC regtest address');
}
