import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { TipSource } from '../../cache/tip-cache.ts';
import { findTip, type Tip } from '../../cache/tip-queries.ts';
import type { Sql } from '../../db/client.ts';
import { PublicError } from '../../errors.ts';
import { BatchItem } from '../../http/batch-item.ts';

/** Who asks, as the requests of a batch repeat it: each is admitted, charged and logged as one of this client. */
export type BatchClient = { address: string | undefined; headers: IncomingHttpHeaders; hasLeft: () => boolean };

type Item = { status: number; json: string };

/** Headers of the client that its requests keep: who it is, which shapes it wants, and what its log lines name. */
const KEPT = [
  'x-api-key',
  'authorization',
  'x-forwarded-for',
  'x-api-version',
  'x-request-id',
  'traceparent',
  'tracestate',
];

/** Requests of a batch that are worked on at once, as of one connection. */
const AT_ONCE = 4;

/** How often a batch is read until no block has come meanwhile. */
const ATTEMPTS = 5;

/** How long a batch waits for the tip of this process to have what the database has. */
const FOLLOW_MS = 2000;

/** Bytes of all responses together. */
const MAX_BYTES = 32 << 20;

/** Responses to many requests, and the tip that all of them show. */
export class Batches {
  readonly #app: FastifyInstance;
  readonly #tip: TipSource;

  constructor(app: FastifyInstance, tip: TipSource) {
    this.#app = app;
    this.#tip = tip;
  }

  /**
   * No response shows less than the process has shown, nor more than the tip that it knows: if the chain is at one step before the
   * first response and after the last one, all of them are of this step.
   */
  async respond(sql: Sql, paths: readonly string[], client: BatchClient): Promise<{ tip: Tip; json: string }> {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const before = await findTip(sql);
      await this.#follow(before.chainSeq);
      const items = await this.#readAll(paths, client);
      const after = await findTip(sql);
      const isOneState = after.chainSeq === before.chainSeq && this.#tip.current?.chainSeq === before.chainSeq;
      if (isOneState) return { tip: after, json: `{"results":[${items.map(jsonOf).join(',')}]}` };
    }
    throw new PublicError(
      503,
      `The chain changed during each of ${ATTEMPTS} attempts to read ${paths.length} responses of one state; try again, or with fewer requests`,
    );
  }

  /** The tip of this process may be behind what the database has: stored responses would then be of an earlier state. */
  async #follow(chainSeq: number): Promise<void> {
    const { watch } = this.#tip;
    const isThere = () => (this.#tip.current?.chainSeq ?? -1) >= chainSeq;
    if (isThere() || !watch) return;
    await new Promise<void>(resolve => {
      const end = () => {
        clearTimeout(timer);
        unwatch();
        resolve();
      };
      const timer = setTimeout(end, FOLLOW_MS);
      const unwatch = watch.call(this.#tip, () => isThere() && end());
    });
  }

  async #readAll(paths: readonly string[], client: BatchClient): Promise<Item[]> {
    const items: Item[] = [];
    let next = 0;
    let bytes = 0;
    const work = async () => {
      while (next < paths.length && !client.hasLeft()) {
        const index = next++;
        const item = bytes > MAX_BYTES ? tooLarge : await this.#read(paths[index]!, client);
        bytes += item.json.length;
        items[index] = item;
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    return items;
  }

  async #read(path: string, client: BatchClient): Promise<Item> {
    const { address, headers } = client;
    const kept = KEPT.flatMap(name => (headers[name] === undefined ? [] : [[name, String(headers[name])]]));
    const {
      statusCode,
      headers: sent,
      body,
    } = await this.#app.inject({
      url: path,
      headers: Object.fromEntries(kept),
      Request: BatchItem,
      ...(address !== undefined && { remoteAddress: address }),
    });
    // Hashes without 0x are redirected to the URL with it, which has no further redirect.
    const { location } = sent;
    if (statusCode === 302 && typeof location === 'string' && location !== path)
      return await this.#read(location, client);
    const isJson = String(sent['content-type']).startsWith('application/json');
    return { status: statusCode, json: body === '' ? 'null' : isJson ? body : JSON.stringify(body) };
  }
}

const jsonOf = ({ status, json }: Item) => `{"status":${status},"body":${json}}`;

const tooLarge: Item = {
  status: 413,
  json: JSON.stringify({
    statusCode: 413,
    error: 'Payload Too Large',
    message: `The responses of a batch have at most ${MAX_BYTES >> 20} MB together: request this on its own`,
  }),
};
