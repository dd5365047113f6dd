import { namedState } from '../../cache/tip-queries.ts';
import { broadcastSource, mempoolStatus } from '../../chain/mempool/mempool.ts';
import { payloadIds } from '../../chain/transaction.ts';
import { totalOfPage } from '../../compat/page-total.ts';
import { arrayLiteral, constant, type Sql } from '../../db/client.ts';
import {
  type ContractFunctions,
  findInterfaces,
  type InterfaceStore,
  interfaceVersion,
} from '../contracts/interfaces-queries.ts';

const { pending, dropped } = mempoolStatus;

/** A transaction that no block has mined. */
export type MempoolRow = {
  tx_id: Buffer;
  raw: Buffer;
  status: number;
  reason: string;
  /** Empty when nothing took its place. */
  replaced_by: Buffer;
  received_at: number;
  received_height: number;
  type: number;
  target: number;
  /** Changes when the called contract was deployed again after a fork; null if it is not known. */
  interface_version: string | null;
  /** It was sent through this service, and no node has reported it yet. */
  unreported: boolean;
};

/** A row together with the functions of the contract it calls, where they are known. */
export type MempoolTransaction = MempoolRow & { functions?: ContractFunctions };

export type MempoolFilter = {
  sender?: Uint8Array;
  /** Recipient of a token transfer. */
  recipient?: Uint8Array;
  /** Sender, recipient, or contract that is called or deployed. */
  address?: Uint8Array;
};

type MempoolOrder = { by: 'age' | 'size' | 'fee'; direction: 'asc' | 'desc' };

export const newestFirst: MempoolOrder = { by: 'age', direction: 'desc' };

type OffsetPage = { limit: number; offset: number };

/** A page of pending transactions with the number of all; equal ones in order of arrival. */
export async function listMempool(
  sql: Sql,
  filter: MempoolFilter,
  page: OffsetPage,
  order: MempoolOrder,
  interfaces: InterfaceStore | undefined,
): Promise<{ total: number; rows: MempoolTransaction[] }> {
  const where = filterOf(sql, filter);
  const column = sql({ age: 'received_at', size: 'size', fee: 'fee' }[order.by]);
  const direction = order.direction === 'asc' ? sql`asc` : sql`desc`;
  const filtered = Object.keys(filter).length > 0;
  const total = filtered
    ? sql`select count(*)::int from mempool m where m.status = ${constant(sql, pending)} ${where}`
    : sql`select s.pending from mempool_state s`;
  return await listPage(
    sql,
    sql`
      select ${mempoolColumns(sql)}, (${total}) as total
      from (
        -- The page is cut before anything is looked up for its rows.
        select m.*
        from mempool m
        where m.status = ${constant(sql, pending)} ${where}
        order by m.${column} ${direction}, m.event_id, m.tx_id
        limit ${page.limit}
        offset ${String(page.offset)}::bigint
      ) m
      ${mempoolJoins(sql)}
      order by m.${column} ${direction}, m.event_id, m.tx_id
    `,
    interfaces,
  );
}

/** Dropped ones, the last first, of those dropped at once the newest; with their number. */
export async function listDropped(
  sql: Sql,
  page: OffsetPage,
  interfaces: InterfaceStore | undefined,
): Promise<{ total: number; rows: MempoolTransaction[] }> {
  return await listPage(
    sql,
    sql`
      select ${mempoolColumns(sql)}, (select s.dropped from mempool_state s) as total
      from (
        select m.*
        from mempool m
        where m.status = ${constant(sql, dropped)}
        order by m.dropped_at desc, m.received_at desc, m.event_id, m.tx_id
        limit ${page.limit}
        offset ${String(page.offset)}::bigint
      ) m
      ${mempoolJoins(sql)}
      order by m.dropped_at desc, m.received_at desc, m.event_id, m.tx_id
    `,
    interfaces,
  );
}

type Fragment = ReturnType<typeof mempoolColumns>;

/** The total travels with the rows: an empty page has a total of 0. */
async function listPage(sql: Sql, page: Fragment, interfaces: InterfaceStore | undefined) {
  const rows = await sql<(MempoolRow & { total: number | null })[]>`${page}`;
  return { total: totalOfPage(rows), rows: await withFunctions(sql, rows, interfaces) };
}

/** The transactions of these ids, dropped ones included, by the hex of the id; not what is in microblocks. */
export async function findMempoolTransactions(
  sql: Sql,
  ids: Uint8Array[],
  interfaces: InterfaceStore | undefined,
): Promise<Map<string, MempoolTransaction>> {
  if (ids.length === 0) return new Map();
  const rows = await sql<MempoolRow[]>`
    select ${mempoolColumns(sql)}
    from mempool m
    ${mempoolJoins(sql)}
    where m.tx_id = any (${arrayLiteral(ids)}::bytea[]) and m.status <> ${constant(sql, mempoolStatus.streamed)}
  `;
  return new Map((await withFunctions(sql, rows, interfaces)).map(row => [row.tx_id.toString('hex'), row]));
}

/** The pending deploy of a contract, if there is one. */
export async function findPendingDeploy(sql: Sql, contract: Uint8Array): Promise<MempoolTransaction | undefined> {
  const rows = await sql<MempoolRow[]>`
    select ${mempoolColumns(sql)}
    from principals p
    join mempool m on m.target = p.id and m.status = ${constant(sql, pending)}
    ${mempoolJoins(sql)}
    where p.name = ${contract} and m.type in (${constant(sql, payloadIds.smart_contract)}, ${constant(sql, payloadIds.versioned_smart_contract)})
    order by m.received_at desc
    limit 1
  `;
  return rows[0];
}

/** What `renderMempoolTransaction` needs of a row `m`. */
const mempoolColumns = (sql: Sql) => sql`
  m.tx_id, m.raw, m.status, m.reason, m.replaced_by, m.received_at, m.received_height, m.type, m.target,
  ${interfaceVersion(sql, sql`mc`)} as interface_version,
  -- Bit 0 is shared by all sources that are not nodes; the event says whether it was this service.
  m.holders = 1 and coalesce((
    select s.source = ${broadcastSource}
    from event_log e
    join event_sources s on s.id = e.source
    where e.id = m.event_id
  ), false) as unreported,
  ${namedState(sql)}
`;

/** Gives a row `m` the contract `mc` that it calls. */
const mempoolJoins = (sql: Sql) => sql`
  left join contracts mc on mc.contract = m.target and m.type = ${constant(sql, payloadIds.contract_call)}
`;

/** An unknown principal has no key, hence no rows. */
function filterOf(sql: Sql, { sender, recipient, address }: MempoolFilter) {
  const key = (name: Uint8Array) => sql`(select p.id from principals p where p.name = ${name})`;
  const parts = [
    sender ? sql`and m.sender = ${key(sender)}` : sql``,
    // Each side is a seek in an index of its own.
    recipient
      ? sql`and m.target = ${key(recipient)} and m.target <> 0 and m.type = ${constant(sql, payloadIds.token_transfer)}`
      : sql``,
    address ? sql`and (m.sender = ${key(address)} or (m.target = ${key(address)} and m.target <> 0))` : sql``,
  ];
  return sql`${parts[0]!} ${parts[1]!} ${parts[2]!}`;
}

/** Adds the interfaces of the called functions; none is read without a store. */
async function withFunctions(
  sql: Sql,
  rows: MempoolRow[],
  store: InterfaceStore | undefined,
): Promise<MempoolTransaction[]> {
  if (!store) return rows;
  const calls = rows.flatMap(row =>
    row.interface_version === null ? [] : [{ contract: row.target, version: row.interface_version }],
  );
  const interfaces = await findInterfaces(sql, calls, store);
  return rows.map(row => {
    const functions = row.interface_version === null ? undefined : interfaces.get(row.target);
    return functions ? { ...row, functions } : row;
  });
}
