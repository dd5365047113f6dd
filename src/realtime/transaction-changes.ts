import { principalFromBytes, principalToBytes } from '@cairn-stacks/codec/address/principal';
import { toHex } from '@cairn-stacks/codec/hex';
import type { Sql } from '../db/client.ts';
import { listPlacedIds, type PlacedId } from '../read/blocks/block-changes-queries.ts';
import type { InterfaceStore } from '../read/contracts/interfaces-queries.ts';
import type { AsOf } from '../read/pages/as-of-queries.ts';
import { renderWithStx } from '../read/principals/address-transaction-schema.ts';
import { renderStxBalance } from '../read/principals/balance-schema.ts';
import { findStxBalance } from '../read/principals/stx-balances-queries.ts';
import { renderTokenOffering } from '../read/principals/token-offering-schema.ts';
import { findVesting } from '../read/principals/vesting-queries.ts';
import { listTransactionsAt, type Position } from '../read/transactions/positions-queries.ts';
import { renderTransaction } from '../read/transactions/transaction-schema.ts';
import type { Transaction } from '../read/transactions/transactions-queries.ts';
import { listChangedAccounts, listStxMoves, listTouches, type Touch } from './block-principals.ts';
import { Message } from './message.ts';
import type { Subscriptions } from './subscriptions.ts';

/** Index inside its microblock of each transaction that was announced before a block confirmed it, by id. */
export type AnnouncedIndexes = Map<string, number>;

/** A height, and a filter for the new transactions there; all are new if it is absent. */
export type Changes = {
  height: number;
  asOf: AsOf;
  announced: AnnouncedIndexes;
  interfaces: InterfaceStore;
  isNew?: (transaction: PlacedId) => boolean;
};

/** Messages about the subscribed transactions and accounts at a height. */
export async function transactionMessages(
  sql: Sql,
  subscriptions: Subscriptions,
  changes: Changes,
): Promise<Message[]> {
  if (!subscriptions.any('transaction', 'address-transaction', 'address-stx-balance')) return [];
  const ids = (await listPlacedIds(sql, changes.height)).filter(changes.isNew ?? (() => true));
  const wanted = ids.filter(({ tx_id }) => subscriptions.has({ kind: 'transaction', key: toHex(tx_id) }));
  const places = new Set(ids.map(({ place }) => place));
  const touches = (await listTouches(sql, changes.height, accountsOf(subscriptions))).filter(t => places.has(t.place));
  const touched = touches.filter(({ name }) => subscriptions.has(addressTopic(name)));
  const transactions = await readTransactions(sql, [...wanted, ...touched], changes.interfaces);
  // Clients expect the index with which the transaction was announced.
  for (const row of transactions.values()) row.tx_index = changes.announced.get(toHex(row.tx_id)) ?? row.tx_index;
  return [
    ...wanted.map(id => transactionMessage(transactions.get(id.place)!)),
    ...(await addressMessages(sql, touched, transactions)),
    ...(await balanceMessages(sql, subscriptions, changes, touches)),
  ];
}

/** The message about a mined transaction. */
export function transactionMessage(transaction: Transaction): Message {
  const payload = renderTransaction(transaction);
  return new Message({ kind: 'transaction', key: payload.tx_id }, payload);
}

const addressTopic = (name: Uint8Array) => ({ kind: 'address-transaction', key: principalFromBytes(name) }) as const;
const balanceTopic = (name: Uint8Array) => ({ kind: 'address-stx-balance', key: principalFromBytes(name) }) as const;

/** Every subscribed account, in its binary form. */
const accountsOf = (subscriptions: Subscriptions): Uint8Array[] =>
  [...new Set([...subscriptions.keys('address-transaction'), ...subscriptions.keys('address-stx-balance')])].map(
    principalToBytes,
  );

/** The transactions of one height by position. */
async function readTransactions(
  sql: Sql,
  positions: readonly Position[],
  interfaces: InterfaceStore,
): Promise<Map<number, Transaction>> {
  const distinct = [...new Map(positions.map(({ height, place }) => [place, { height, place }])).values()];
  const rows = await listTransactionsAt(sql, distinct, interfaces);
  return new Map(rows.map(row => [row.place, row]));
}

async function addressMessages(
  sql: Sql,
  touches: readonly Touch[],
  transactions: ReadonlyMap<number, Transaction>,
): Promise<Message[]> {
  const moves = await listStxMoves(sql, [...transactions.values()]);
  return touches.map(({ name, place, role, sent, received }) => {
    const mine = moves.filter(m => m.place === place && (m.sender?.equals(name) || m.recipient?.equals(name)));
    const transaction = transactions.get(place)!;
    const { fee } = transaction;
    const payload = renderWithStx({ role, sent, received, fee }, renderTransaction(transaction), mine);
    return new Message(addressTopic(name), {
      ...payload,
      // Unlike in API responses, a mint has no sender and a burn no recipient.
      stx_transfers: payload.stx_transfers.map(({ amount, sender, recipient }) => ({
        amount,
        sender: sender || null,
        recipient: recipient || null,
      })),
    });
  });
}

/** STX balances of accounts that a transaction touched or that changed otherwise, such as by miner rewards. */
async function balanceMessages(
  sql: Sql,
  subscriptions: Subscriptions,
  { height, asOf, isNew }: Changes,
  touches: readonly Touch[],
): Promise<Message[]> {
  const names = subscriptions.keys('address-stx-balance').map(principalToBytes);
  const changed = isNew ? [] : await listChangedAccounts(sql, height, names);
  const accounts = new Map([...changed, ...touches].map(({ name }) => [name.toString('hex'), name]));
  const wanted = [...accounts.values()].filter(name => subscriptions.has(balanceTopic(name)));
  return await readBalances(sql, wanted, asOf);
}

/** Balances of accounts as of a height. */
export async function readBalances(sql: Sql, names: readonly Uint8Array[], asOf: AsOf): Promise<Message[]> {
  const [rows, vesting] = await Promise.all([
    Promise.all(names.map(name => findStxBalance(sql, name, asOf))),
    Promise.all(names.map(name => findVesting(sql, name, asOf))),
  ]);
  return rows.flatMap((row, i) => {
    if (!row) return [];
    const balance = { ...renderStxBalance(row), ...renderTokenOffering(vesting[i]) };
    return [new Message(balanceTopic(names[i]!), balance)];
  });
}
