import { createNetwork, type StacksNetwork } from '@stacks/network';
import { broadcastTransaction, type StacksTransactionWire } from '@stacks/transactions';
import { afterAll, beforeAll, expect } from 'vitest';
import type { Devnet, StartOptions } from '../../src/test-devnet/start-devnet.ts';

type Entry = typeof import('../../src/test-devnet/start-devnet.ts');

/** The entry `cairn-stacks/devnet` of the package, as built. */
export async function loadEntry(): Promise<Entry> {
  const built = new URL('../../dist/test-devnet/start-devnet.js', import.meta.url);
  return (await import(/* @vite-ignore */ built.href)) as Entry;
}

/** A transaction as the API shows it. */
export type ShownTransaction = {
  tx_id: string;
  tx_status: string;
  tx_result: { repr: string };
  block_height: number;
  vm_error: string | null;
};

export type SdkDevnet = Devnet & {
  /** The devnet as a network of stacks.js. */
  network: StacksNetwork;
  /** GET of the API as JSON. */
  get<T = Record<string, unknown>>(path: string): Promise<T>;
  /** Broadcasts, mines a block and resolves with the transaction as the API shows it. */
  run(transaction: StacksTransactionWire): Promise<ShownTransaction>;
  /** Mines a block and resolves with a transaction that was sent before, as the API shows it. */
  mined(sent: { txid: string } | { error: string; reason?: string }): Promise<ShownTransaction>;
};

/** One devnet for all tests of a file, through Cairn. */
export function devnetForFile(options: StartOptions = {}): SdkDevnet {
  const shared = {} as SdkDevnet;
  beforeAll(async () => {
    const { startDevnet } = await loadEntry();
    const devnet = await startDevnet(options);
    const network = createNetwork({ network: 'devnet', client: { baseUrl: devnet.url } });
    const get = async <T>(path: string) => {
      const response = await fetch(`${devnet.url}${path}`);
      expect([path, response.status]).toEqual([path, 200]);
      return (await response.json()) as T;
    };
    const mined: SdkDevnet['mined'] = async sent => {
      if (!('txid' in sent)) throw new Error(JSON.stringify(sent));
      await devnet.mine();
      return await get<ShownTransaction>(`/extended/v1/tx/0x${sent.txid.replace(/^0x/, '')}`);
    };
    const run: SdkDevnet['run'] = async transaction =>
      await mined(await broadcastTransaction({ transaction, network }));
    Object.assign(shared, devnet, { network, get, mined, run });
  });
  afterAll(() => shared.stop?.());
  return shared;
}
