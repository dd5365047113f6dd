import type { Network } from '@cairn-stacks/codec/network';
import type { Config } from '../config/config.ts';
import type { Pool } from '../db/client.ts';
import { readEvents } from '../ingest/log/event-reader.ts';
import { type ChainMark, chainMarkIn } from '../node/chain-mark.ts';
import type { ChainIdInquiry } from './chain-id-inquiry.ts';
import { decideNetwork } from './identity.ts';
import type { Start } from './start.ts';

const POLL_MS = 250;
const REMIND_MS = 60_000;

/**
 * Waits until a node has reported the chain id or an event with a signed transaction has been logged. Events are logged
 * meanwhile, so nodes whose RPC opens only after their first events were accepted are not blocked.
 */
export async function untilNetworkKnown(
  { config, log, progress }: Start,
  sql: Pool,
  inquiry: ChainIdInquiry,
  observer: string,
): Promise<Network> {
  const search = new LogSearch(sql);
  for (let reminded = 0; ; ) {
    const logged = await search.next();
    const reported = inquiry.reported(logged?.chainId);
    const empty = search.position === 0n;
    const network = decideNetwork({ config, stored: undefined, reported, logged, empty });
    if (network) {
      inquiry.expect(network);
      return network;
    }
    const missing = describeMissing(config, observer, search.position);
    progress.next(missing);
    if (Date.now() - reminded > REMIND_MS) {
      log.info(missing);
      reminded = Date.now();
    }
    await new Promise(resolve => setTimeout(resolve, POLL_MS));
  }
}

function describeMissing({ nodes }: Config, observer: string, events: bigint): string {
  const urls = nodes.map(node => node.url).join(', ');
  return (
    'the network is not known yet: ' +
    (nodes.length > 0 ? `no node has responded (${urls}) and ` : '') +
    `no transaction has been posted to the observer at ${observer} (${events} events stored); ` +
    'start a node, or set CAIRN_NETWORK'
  );
}

/** Reads the log from its start, each event once, until one shows its network. */
class LogSearch {
  readonly #sql: Pool;
  #found: ChainMark | undefined;
  /** The last event that was read. */
  position = 0n;

  constructor(sql: Pool) {
    this.#sql = sql;
  }

  async next(): Promise<ChainMark | undefined> {
    while (!this.#found) {
      const events = await readEvents(this.#sql, this.position, { maxCount: 100 });
      if (events.length === 0) return undefined;
      for (const { id, path, body } of events) {
        this.position = id;
        this.#found = chainMarkIn(path, body);
        if (this.#found) break;
      }
    }
    return this.#found;
  }
}
