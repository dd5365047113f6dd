import { readRecordedEvents } from './recorded-events.ts';

/** Events that may pass before the chain must have shown itself. */
const MAX_EVENTS = 20_000;

/** The chain id that the first signed transaction of a recorded file names; undefined when none is near its start. */
export async function findChainId(file: string): Promise<number | undefined> {
  let events = 0;
  for await (const { path, body } of readRecordedEvents(file)) {
    const chainId = chainIdIn(path, body);
    if (chainId !== undefined || ++events === MAX_EVENTS) return chainId;
  }
  return undefined;
}

function chainIdIn(path: string, body: Buffer): number | undefined {
  for (const raw of rawTransactions(path, body)) {
    const chainId = chainIdOf(raw);
    if (chainId) return chainId;
  }
  return undefined;
}

function rawTransactions(path: string, body: Buffer): unknown[] {
  if (path !== '/new_block' && path !== '/new_mempool_tx' && path !== '/new_microblocks') return [];
  try {
    const message: unknown = JSON.parse(body.toString());
    if (Array.isArray(message)) return message;
    const { transactions } = message as { transactions?: { raw_tx?: unknown }[] };
    return Array.isArray(transactions) ? transactions.map(transaction => transaction?.raw_tx) : [];
  } catch {
    // The fold will say what is wrong with it; here it only says nothing about the chain.
    return [];
  }
}

/** SIP-005: one byte of version, then the chain id; boot transactions have 0 there, burn operations are one byte. */
function chainIdOf(raw: unknown): number | undefined {
  if (typeof raw !== 'string' || !/^0x[0-9a-f]{10}/i.test(raw)) return undefined;
  return Number.parseInt(raw.slice(4, 12), 16);
}
