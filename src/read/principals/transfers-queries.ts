import { principalToBytes } from '@cairn-stacks/codec/address/principal';
import { eventCodes } from '../../chain/event.ts';
import { payloadIds } from '../../chain/transaction.ts';
import { constant, type Sql } from '../../db/client.ts';
import type { Statement } from '../../db/statement.ts';
import { sidedEvents } from '../events/events-queries.ts';
import { type EventPageRequest, listEventPositions } from '../events/positions-queries.ts';
import type { AssetName } from '../tokens/nfts-queries.ts';

type Fragment = Statement<unknown>;

/** A credit or debit of a principal. */
export type TransferRow = {
  /** Compact principals; null where the event has no such side. */
  sender: Buffer | null;
  recipient: Buffer | null;
  amount: string;
};

/** With what a memo is made of: the bytes of the event, those of a native transfer, and what `send-many-memo` printed. */
export type StxTransferRow = TransferRow & { memo: Buffer; native: Buffer | null; printed: Buffer | null };

/** The keys of the lists of STX in the table: what came, and what went. */
const lists = { inbound: 0, outbound: -1 } as const;

/** What a list shows of each transfer of the account; `events` gives the row `p` its event `e`. */
export type TransferShape = { columns: Fragment; joins: Fragment; events: Fragment };

type StxList = { direction: keyof typeof lists; sendMany: string };

/** STX events that credited or debited an account, the newest first. */
export const listStxTransfers = (sql: Sql, principal: Uint8Array, list: StxList, page: EventPageRequest) =>
  listEventPositions<StxTransferRow>(
    sql,
    listOf(sql, principal, stxKey(sql, list)),
    page,
    stxShape(sql, principal, list),
  );

/** Events of a fungible token that credited or debited an account, the newest first. */
export const listFtTransfers = (sql: Sql, principal: Uint8Array, asset: AssetName, page: EventPageRequest) =>
  listEventPositions<TransferRow>(sql, listOf(sql, principal, ftKey(sql, asset)), page, ftShape(sql, principal));

/** The key of a list of STX in the table. */
export const stxKey = (sql: Sql, { direction }: StxList) => sql`${constant(sql, lists[direction])}`;

/** The key of the list of a token. */
export const ftKey = (sql: Sql, asset: AssetName) => sql`(
  select a.id
  from principals c
  join assets a on a.contract = c.id and a.name = ${asset.name}
  where c.name = ${asset.contract}
)`;

export const stxShape = (sql: Sql, principal: Uint8Array, { sendMany }: StxList): TransferShape => ({
  columns: sql`
    ss.name as sender, rr.name as recipient, e.amount, e.value as memo,
    case when t.type = ${constant(sql, payloadIds.token_transfer)} then t.raw end as native,
    (
      select m.value
      from events m
      where m.height = e.height and m.place = e.place and m.event_index = e.event_index + 1
        and m.kind = ${constant(sql, eventCodes.print)}
        and m.asset = (select c.id from principals c where c.name = ${principalToBytes(sendMany)})
    ) as printed
  `,
  joins: sideNames(sql),
  events: ownEvents(sql, principal),
});

export const ftShape = (sql: Sql, principal: Uint8Array): TransferShape => ({
  columns: sql`ss.name as sender, rr.name as recipient, e.amount`,
  joins: sideNames(sql),
  events: ownEvents(sql, principal),
});

const sideNames = (sql: Sql) => sql`
  left join principals ss on ss.id = e.sender
  left join principals rr on rr.id = e.recipient
`;

/** By the account, as block 1 has an event for each that the chain began with. */
const ownEvents = (sql: Sql, principal: Uint8Array) => sql`
  cross join lateral (
    select v.sender, v.recipient, v.amount, v.value, v.height, v.place, v.event_index
    from ${sidedEvents(sql, sql`p.height`, sql`p.place`, sql`(select o.id from principals o where o.name = ${principal})`)} v
    where v.event_index = p.event_index
  ) e
`;

/** Rows of unconfirmed microblocks have a height above the tip: a page starts at or below it. */
function listOf(sql: Sql, principal: Uint8Array, asset: ReturnType<typeof sideNames>) {
  const where = sql`k.principal = (select p.id from principals p where p.name = ${principal}) and k.asset = ${asset}`;
  const total = sql`
    select k.seq
    from transfers k
    where ${where} and k.height <= (select f.height from fold_position f)
    order by k.height desc, k.place desc, k.event_index desc
    limit 1
  `;
  return { table: 'transfers', where, total };
}
