import { parseMessage } from './json.ts';

/** The network of a signed transaction, from its bytes. */
export type ChainMark = { chainId: number; mainnet: boolean };

const holders: ReadonlySet<string> = new Set(['/new_block', '/new_mempool_tx', '/new_microblocks']);

/** The network of the first signed transaction in an event; undefined if the event has none. */
export function chainMarkIn(path: string, body: Buffer): ChainMark | undefined {
  if (!holders.has(path)) return undefined;
  for (const raw of rawTransactions(body)) {
    const mark = chainMarkOf(raw);
    if (mark) return mark;
  }
  return undefined;
}

function rawTransactions(body: Buffer): unknown[] {
  try {
    const message = parseMessage(body);
    if (Array.isArray(message)) return message;
    const { transactions } = message as { transactions?: { raw_tx?: unknown }[] };
    return Array.isArray(transactions) ? transactions.map(transaction => transaction?.raw_tx) : [];
  } catch {
    // The fold reports the error; here the event only shows no network.
    return [];
  }
}

/** SIP-005: one byte of version, then the chain id; boot transactions have 0 there, burn operations are one byte. */
function chainMarkOf(raw: unknown): ChainMark | undefined {
  if (typeof raw !== 'string' || !/^0x[0-9a-f]{10}/i.test(raw)) return undefined;
  const chainId = Number.parseInt(raw.slice(4, 12), 16);
  const version = Number.parseInt(raw.slice(2, 4), 16);
  return chainId === 0 ? undefined : { chainId, mainnet: (version & 0x80) === 0 };
}
