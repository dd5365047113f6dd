import { encodeAddress } from '@cairn-stacks/codec/address/c32';
import { principalFromBytes } from '@cairn-stacks/codec/address/principal';
import { toHex } from '@cairn-stacks/codec/hex';
import type { Sql } from '../../src/db/client.ts';
import { say } from './figures.ts';
import { drawSamples, type Sample } from './samples.ts';
import { findAccounts } from './whale.ts';

/** A point read: its URLs, and the status that each of them has. */
export type Point = {
  name: string;
  paths: string[];
  status: number;
  headers?: Record<string, string>;
  /** It reads little or nothing for the request; the goal is lower. */
  light?: boolean;
  /** Its URLs are requested as they are, because the response is not rendered. */
  shared?: boolean;
};

const perPoint = 100;

/** The point reads of the bench, with values from the chain. A point for which the chain has no values is named and left out. */
export async function drawPoints(sql: Sql): Promise<Point[]> {
  const samples = await drawSamples(sql, perPoint);
  const { whale, ordinary } = await findAccounts(sql);
  const known = samples.flatMap(({ token }) => token ?? []);
  const accounts = {
    ordinary: ordinary.map(({ address }) => address),
    busiest: [whale.address],
    unknown: Array.from({ length: perPoint }, (_, i) => encodeAddress(22, Buffer.alloc(20, i + 1))),
  };
  const points: Point[] = [
    ...(await transactionPoints(sql)),
    ...Object.entries(accounts).flatMap(([name, addresses]) => accountPoints(name, addresses, known)),
    ok(
      'block_by_height',
      of(samples, 'height', height => `/extended/v2/blocks/${height}`),
    ),
    ok(
      'block_by_hash',
      of(samples, 'hash', hash => `/extended/v2/blocks/${hash}`),
    ),
    ok(
      'contract',
      of(samples, 'contract_id', contract => `/extended/v1/contract/${contract}`),
    ),
    ok('name', await namePaths(sql)),
    ok('nft_holding', await holdingPaths(sql)),
    { ...ok('extended', ['/extended']), light: true },
    { ...ok('v2_blocks', ['/extended/v2/blocks']), light: true },
    { ...ok('mempool_list', ['/extended/v1/tx/mempool']), light: true },
  ];
  for (const { name } of points.filter(({ paths }) => paths.length === 0))
    say(`points: the chain has no values for ${name}`);
  return points.filter(({ paths }) => paths.length > 0);
}

const ok = (name: string, paths: string[]): Point => ({ name, paths, status: 200 });

const of = (samples: readonly Sample[], name: keyof Sample, path: (value: string) => string) => [
  ...new Set(samples.flatMap(sample => (sample[name] === undefined ? [] : [path(sample[name])]))),
];

/** By the number of their events, pending, and unknown. */
async function transactionPoints(sql: Sql): Promise<Point[]> {
  const withEvents = async (least: number, most: number) => {
    const rows = await sql<{ tx_id: Buffer }[]>`
      select t.tx_id
      from transactions t
      where t.event_count between ${least} and ${most} and t.height > 1
      order by abs(t.event_count - ${least}), md5(t.tx_id)
      limit ${perPoint}
    `;
    return rows.map(({ tx_id }) => `/extended/v1/tx/${toHex(tx_id)}`);
  };
  const pending = await sql<{ tx_id: Buffer }[]>`select m.tx_id from mempool m limit ${perPoint}`;
  const unknown = Array.from({ length: perPoint }, (_, i) => `/extended/v1/tx/${toHex(Buffer.alloc(32, i + 1))}`);
  return [
    ok('tx_no_events', await withEvents(0, 0)),
    ok('tx_one_event', await withEvents(1, 1)),
    ok('tx_many_events', await withEvents(50, 1000)),
    ok(
      'tx_pending',
      pending.map(({ tx_id }) => `/extended/v1/tx/${toHex(tx_id)}`),
    ),
    { name: 'tx_unknown', paths: unknown, status: 404 },
  ];
}

/** An old height at which the accounts of the chain have a history. */
const oldHeight = 100;

function accountPoints(name: string, addresses: string[], tokens: string[]): Point[] {
  const path = (rest: string) => addresses.map(address => `/extended/v1/address/${address}/${rest}`);
  const token = tokens.length === 0 ? [] : tokens.slice(0, perPoint);
  const each = addresses.flatMap((address, i) =>
    token.length === 0 ? [] : [{ address, asset: token[i % token.length]! }],
  );
  return [
    ok(`balances_${name}`, path('balances')),
    ok(`balances_${name}_old`, path(`balances?until_block=${oldHeight}`)),
    ok(`nonces_${name}`, path('nonces')),
    ok(`nonces_${name}_old`, path(`nonces?block_height=${oldHeight}`)),
    ok(`stx_${name}`, path('stx')),
    ok(`stx_${name}_old`, path(`stx?until_block=${oldHeight}`)),
    ok(
      `ft_${name}`,
      each.map(({ address, asset }) => `/extended/v3/principals/${address}/balances/ft/${asset}`),
    ),
  ];
}

async function namePaths(sql: Sql): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`select n.name from names n where not n.hidden limit ${perPoint}`;
  return rows.map(({ name }) => `/v1/names/${name}`);
}

async function holdingPaths(sql: Sql): Promise<string[]> {
  const rows = await sql<{ name: Buffer }[]>`
    select p.name
    from (select distinct n.owner from nft_current n where n.owner <> 0 limit ${perPoint}) o
    join principals p on p.id = o.owner
  `;
  return rows.map(({ name }) => `/extended/v1/tokens/nft/holdings?principal=${principalFromBytes(name)}`);
}
