import type { Message } from '@cairn-stacks/devnet/chain/message-text';
import { blockRoutes } from '@cairn-stacks/devnet/rpc/blocks';
import { contractRoutes } from '@cairn-stacks/devnet/rpc/contracts';
import { infoRoutes } from '@cairn-stacks/devnet/rpc/info';
import { serveRoutes } from '@cairn-stacks/devnet/rpc/server';
import { stackerSetRoutes } from '@cairn-stacks/devnet/rpc/stacker-set';
import { tenureRoutes } from '@cairn-stacks/devnet/rpc/tenures';
import type { UnknownField } from '../../src/chain/unknown-field.ts';
import { unknownFieldsOf } from '../../src/chain/unknown-field.ts';
import { Healer } from '../../src/ingest/heal/healer.ts';
import { EventLog } from '../../src/ingest/log/event-log.ts';
import { eventById } from '../../src/ingest/log/event-reader.ts';
import { NodeRpc } from '../../src/node/rpc.ts';
import type { TestDatabase } from './database.ts';
import type { TestDevnet } from './devnet.ts';
import type { Dump } from './dump.ts';

type Ending = { onTestFinished(work: () => Promise<void>): void };

/** A message of a block as JSON. */
export type BlockBody = Record<string, unknown> & {
  block_height: number;
  index_block_hash: string;
  transactions: Record<string, unknown>[];
  events: Record<string, unknown>[];
};

export const bodyOf = ({ body }: Pick<Message, 'body'>) => body as unknown as BlockBody;

/** The RPC of a simulated node, as far as a healer needs it. */
export async function serveNode(t: Ending, { node }: TestDevnet): Promise<string> {
  const routes = [
    ...infoRoutes(node),
    ...blockRoutes(node),
    ...contractRoutes(node),
    ...tenureRoutes(node),
    ...stackerSetRoutes(node),
  ];
  const server = await serveRoutes(routes, { host: '127.0.0.1', port: 0 });
  t.onTestFinished(() => server.stop());
  return server.url;
}

/** A healer that is in a hurry and asks one node. */
export function startHealer(t: Ending, db: TestDatabase, url: string): Healer {
  const line = () => {};
  const node = new NodeRpc({ url, headers: {}, auth: 'secret' }, { connections: 2, timeoutMs: 5_000 });
  const events = new EventLog(db.sql);
  const log = { info: line, warn: line, error: line };
  const healer = new Healer({ sql: db.sql, events, nodes: [node], log, everyMs: 10, patienceMs: 0 });
  healer.start();
  t.onTestFinished(async () => {
    await healer.stop();
    await events.close();
  });
  return healer;
}

/** What is unknown of fetched blocks, by height; blocks of which nothing is unknown are there too. */
export async function unknownByHeight({ sql }: TestDatabase): Promise<Map<number, UnknownField[]>> {
  const rows = await sql<{ height: number; unknown: string }[]>`
    select t.height, t.unknown from block_tree t where t.fetched order by t.height
  `;
  return new Map(rows.map(({ height, unknown }) => [height, unknownFieldsOf(unknown)]));
}

/** The messages that were made for fetched blocks. */
export async function healedMessages({ sql }: TestDatabase): Promise<BlockBody[]> {
  const rows = await sql<{ event_id: bigint }[]>`
    select t.event_id from block_tree t where t.fetched order by t.height
  `;
  const events = await Promise.all(rows.map(({ event_id }) => eventById(sql, event_id)));
  return events.map(event => JSON.parse(event!.body.toString()) as BlockBody);
}

/** Keys of a message that may differ where a field is unknown and the real event tells something there. */
const keysOf: Record<UnknownField, readonly string[]> = {
  burn_operations: ['transactions', 'events', 'anchored_cost'],
  boot_contracts: ['transactions', 'events', 'anchored_cost'],
  mints: ['transactions', 'events', 'anchored_cost'],
  matured_miner_rewards: ['matured_miner_rewards'],
  reward_set: ['reward_set', 'cycle_number'],
  miner_txid: ['miner_txid'],
  unlock_heights: [1, 2, 3, 4].map(version => `pox_v${version}_unlock_height`),
  signatures: ['signer_signature', 'signer_bitvec'],
};

/** The unknown fields of which the real event does tell something. */
export function lostFields(real: BlockBody, unknown: readonly UnknownField[]): UnknownField[] {
  const ofBoot = real.transactions.filter(tx => isBoot(tx));
  const told: Record<UnknownField, boolean> = {
    burn_operations: real.transactions.some(tx => tx.raw_tx === '0x00'),
    boot_contracts: ofBoot.length > 0,
    mints: ofBoot.length > 0,
    matured_miner_rewards: (real.matured_miner_rewards as unknown[]).length > 0,
    reward_set: real.reward_set !== null,
    miner_txid: true,
    unlock_heights: true,
    signatures: true,
  };
  return unknown.filter(field => told[field]);
}

/** Transactions that a node adds to a block by itself carry chain id 0. */
export const isBoot = ({ raw_tx }: Record<string, unknown>) => /^0x..0{8}/.test(String(raw_tx)) && raw_tx !== '0x00';

/** Keys in which a healed message differs from the real one without having said so. */
export function undeclared(healed: BlockBody, real: BlockBody, unknown: readonly UnknownField[]): string[] {
  const allowed = new Set(lostFields(real, unknown).flatMap(field => keysOf[field]));
  const [a, b] = [comparable(healed), comparable(real)];
  return [...new Set([...Object.keys(a), ...Object.keys(b)])]
    .filter(key => key !== 'cairn_healed' && !allowed.has(key))
    .filter(key => text(a[key]) !== text(b[key]));
}

/** Nodes send events in any order. */
const comparable = (body: BlockBody): Record<string, unknown> => ({
  ...body,
  events: body.events
    .filter(event => event.committed !== false)
    .sort((x, y) => Number(x.event_index) - Number(y.event_index))
    .map((event, event_index) => ({ ...event, event_index })),
});

/** JSON with sorted keys. */
const text = (value: unknown): string =>
  JSON.stringify(value, (_, inner) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([x], [y]) => (x < y ? -1 : 1)))
      : inner,
  ) ?? 'absent';

type Row = Record<string, unknown> & { height?: number };

/** Tables that hold what moves STX; rewards change no others. */
const moneyTables = ['stx_balances', 'asset_totals', 'holders'];
/** Columns of blocks that tell of all blocks so far. */
const runningColumns = ['tx_total', 'type_totals', 'supply', 'state_hash'];
/** Columns of blocks that tell of the transactions of the block. */
const contentColumns = ['tx_count', 'read_count', 'write_count', 'read_length', 'write_length', 'runtime'];
const receipts: readonly UnknownField[] = ['burn_operations', 'boot_contracts', 'mints'];

/** Rows in which a healed chain differs from the one that was never cut although nothing that was lost explains it. */
export function unexplained(healed: Dump, whole: Dump, lost: ReadonlyMap<number, readonly UnknownField[]>): string[] {
  const lostAt = (height: number, fields: readonly UnknownField[]) =>
    fields.some(field => lost.get(height)?.includes(field));
  const lostUpTo = (height: number, fields: readonly UnknownField[]) =>
    [...lost].some(([at, unknown]) => at <= height && unknown.some(field => fields.includes(field)));
  return Object.keys(whole).flatMap(table => {
    const [a, b] = [new Set(healed[table]), new Set(whole[table])];
    const differing = [...a].filter(line => !b.has(line)).concat([...b].filter(line => !a.has(line)));
    if (table === 'blocks') {
      const rows = differing.map(line => JSON.parse(line) as Row);
      return [...new Set(rows.map(row => row.height!))].flatMap(height => {
        const [one, other] = rows.filter(row => row.height === height);
        if (!one || !other) return [`blocks: only one chain has ${height}`];
        return Object.keys(one)
          .filter(column => JSON.stringify(one[column]) !== JSON.stringify(other[column]))
          .filter(column => {
            if (column === 'miner_tx_id') return !lostAt(height, ['miner_txid']);
            if (column === 'unlock_heights') return !lostAt(height, ['unlock_heights']);
            if (contentColumns.includes(column)) return !lostAt(height, receipts);
            if (runningColumns.includes(column)) return !lostUpTo(height, [...receipts, 'matured_miner_rewards']);
            return true;
          })
          .map(column => `blocks: ${column} of ${height}`);
      });
    }
    return differing.filter(line => {
      const height = (JSON.parse(line) as Row).height ?? Number.POSITIVE_INFINITY;
      if (table === 'miner_rewards') return !lostAt(height, ['matured_miner_rewards']);
      if (table === 'pox_cycles' || table === 'pox_cycle_signers') return !lostAt(height, ['reward_set']);
      if (moneyTables.includes(table) && lostUpTo(height, ['matured_miner_rewards'])) return false;
      return !lostUpTo(height, receipts);
    });
  });
}
