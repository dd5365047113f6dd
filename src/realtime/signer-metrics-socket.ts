import type { Pool } from '../db/client.ts';
import { inSnapshot } from '../db/pool/snapshot.ts';
import { renderProposals } from '../read/signers/block-proposal-schema.ts';
import { findProposals, listChangedProposals, listResponses } from '../read/signers/proposals-queries.ts';
import { listSignerSets } from '../read/signers/signer-set-queries.ts';
import type { StepSource } from './hub.ts';
import { SocketIoEngine, type SocketIoEngineOptions } from './socket-io-engine.ts';

export type SignerMetricsSocketOptions = Omit<SocketIoEngineOptions, 'prefix'> & {
  /** Read pool, as for the hub: only what clients can read is announced. */
  sql: Pool;
  tip: StepSource;
  /** How long changes of proposals are gathered before they are sent. */
  gatherMs?: number;
};

const NAMESPACE = '/block-proposals';
/** Changes read at once. */
const MAX_CHANGES = 2_000;
/** Proposals read and sent at once. */
const MAX_PROPOSALS = 20;

/** Sends each proposal that has changed, whole, to all clients of a namespace; changes of a moment are sent once. */
export class SignerMetricsSocket extends SocketIoEngine {
  readonly #sockets: SignerMetricsSocketOptions;
  readonly #unwatch: () => void;
  /** Last journal entry that was handled; undefined before the first one is known. */
  #seq: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(options: SignerMetricsSocketOptions) {
    super({ ...options, prefix: '/signer-metrics/socket.io/' });
    this.#sockets = options;
    this.io.of(NAMESPACE);
    this.#seq = options.tip.current?.seq;
    this.#unwatch = options.tip.watch(() => this.#wake());
  }

  override async stop(): Promise<void> {
    this.#stopped = true;
    this.#unwatch();
    clearTimeout(this.#timer);
    await this.#sending;
    await super.stop();
  }

  #wake(): void {
    if (this.#stopped || this.#timer) return;
    const { gatherMs = 250, log } = this.#sockets;
    this.#timer = setTimeout(() => {
      this.#sending = this.#announce()
        .catch(error => log.warn({ err: error }, 'changed block proposals could not be announced; trying again'))
        .finally(() => {
          this.#timer = undefined;
          const { current } = this.#sockets.tip;
          if (current && current.seq !== this.#seq) this.#wake();
        });
    }, gatherMs);
  }

  async #announce(): Promise<void> {
    const { sql, tip } = this.#sockets;
    const seq = tip.current?.seq;
    if (seq === undefined) return;
    const namespace = this.io.of(NAMESPACE);
    // First entry, another database, or no client: continue from here.
    if (this.#seq === undefined || seq < this.#seq || namespace.sockets.size === 0) {
      this.#seq = seq;
      return;
    }
    const changes = await listChangedProposals(sql, this.#seq, seq, MAX_CHANGES);
    const hashes = [...new Map(changes.map(({ hash }) => [hash.toString('latin1'), hash])).values()];
    for (let i = 0; i < hashes.length && !this.#stopped; i += MAX_PROPOSALS) {
      for (const proposal of await readProposals(sql, hashes.slice(i, i + MAX_PROPOSALS))) {
        namespace.emit('blockProposal', proposal);
      }
    }
    this.#seq = changes.length < MAX_CHANGES ? seq : changes.at(-1)!.seq;
  }
}

/** A response whose proposal is unknown has none. */
async function readProposals(sql: Pool, hashes: readonly Buffer[]) {
  return await inSnapshot(sql, async snapshot => {
    const rows = await findProposals(snapshot, hashes);
    const responses = await listResponses(snapshot, rows);
    const cycles = rows.map(({ cycle }) => cycle);
    const oldestFirst = rows.toSorted((a, b) => a.received - b.received);
    return renderProposals(oldestFirst, await listSignerSets(snapshot, cycles), responses);
  });
}
