import { principalToBytes } from '@cairn-stacks/codec/address/principal';
import { bareHex, toHex } from '@cairn-stacks/codec/hex';
import { accountsOf } from '../chain/block-accounts.ts';
import { eventKind } from '../chain/event.ts';
import type { Sql } from '../db/client.ts';
import { listNftMoves, type NftMove } from '../read/blocks/block-changes-queries.ts';
import { findBlockContents } from '../read/blocks/block-contents-queries.ts';
import { type Block, renderBlock } from '../read/blocks/block-schema.ts';
import { findBlock } from '../read/blocks/blocks-queries.ts';
import { splitHashes } from '../read/blocks/hashes-queries.ts';
import { findLoggedBlock, orphanBlockContents, orphanBlockRow } from '../read/blocks/logged-blocks-queries.ts';
import { renderMicroblock } from '../read/blocks/microblock-schema.ts';
import { listMicroblocksOn } from '../read/blocks/microblocks-queries.ts';
import type { InterfaceStore } from '../read/contracts/interfaces-queries.ts';
import { renderSbtcEvent } from '../read/sbtc/sbtc-event-schema.ts';
import { listSbtcEvents } from '../read/sbtc/sbtc-events-queries.ts';
import { orphanEvents, readOrphanTransaction } from '../read/transactions/orphan-transactions-queries.ts';
import { Message } from './message.ts';
import { renderNftEvent } from './nft-event-schema.ts';
import type { Subscriptions } from './subscriptions.ts';
import { assetKey, type Topic, topicName } from './topic.ts';
import { type AnnouncedIndexes, readBalances, transactionMessage, transactionMessages } from './transaction-changes.ts';

/** A block as the journal names it. */
type BlockReference = { height: number; index_hash: Uint8Array };

const blockTopic: Topic = { kind: 'block', key: '' };
/** Clients in the field do not read `canonical`: blocks that a fork removed have a topic of their own. */
const removedBlockTopic: Topic = { kind: 'removed-block', key: '' };
const microblockTopic: Topic = { kind: 'microblock', key: '' };

const blockMessage = (block: Block) => new Message(blockTopic, block);

/** Messages about a new block; from the log if a fork has removed it in the meantime. */
export async function blockMessages(
  sql: Sql,
  subscriptions: Subscriptions,
  interfaces: InterfaceStore,
  { height, index_hash: indexHash }: BlockReference,
  announced: AnnouncedIndexes,
): Promise<Message[]> {
  const [row, contents] = await Promise.all([
    findBlock(sql, { height }),
    subscriptions.has(blockTopic) ? findBlockContents(sql, height) : undefined,
  ]);
  if (!row?.index_hash.equals(indexHash)) return await brieflyCanonicalMessages(sql, subscriptions, indexHash);
  const messages: Message[] = [];
  // The microblocks that follow it did not exist when it arrived.
  if (contents) messages.push(blockMessage(renderBlock(row, { ...contents, streamed: [] })));
  messages.push(
    ...(await transactionMessages(sql, subscriptions, { height, asOf: { height }, interfaces, announced })),
  );
  messages.push(...(await nftChangeMessages(sql, subscriptions, height)));
  messages.push(...(await sbtcMessages(sql, subscriptions, height)));
  return messages;
}

/**
 * Messages about a block that was canonical when its journal entry was written and is not any more: the block, its transactions
 * and NFT events as of then. Balances of that time are gone; the entry that removed the block announces the present ones.
 */
async function brieflyCanonicalMessages(
  sql: Sql,
  subscriptions: Subscriptions,
  indexHash: Uint8Array,
): Promise<Message[]> {
  if (!subscriptions.any('block', 'transaction', 'nft-event', 'nft-asset-event', 'nft-collection-event')) return [];
  const block = await findLoggedBlock(sql, { indexHash });
  if (!block) return [];
  const messages: Message[] = [];
  if (subscriptions.has(blockTopic)) {
    // In the order of responses: the last one first.
    const txIds = block.receipts.map(({ txId }) => toHex(txId)).reverse();
    const contents = { ...orphanBlockContents(block), txIds };
    messages.push(blockMessage(renderBlock({ ...orphanBlockRow(block), canonical: true }, contents)));
  }
  for (const receipt of block.receipts) {
    if (!subscriptions.has({ kind: 'transaction', key: toHex(receipt.txId) })) continue;
    messages.push(transactionMessage({ ...(await readOrphanTransaction(sql, block, receipt)), canonical: true }));
  }
  const moves = block.receipts.flatMap(receipt =>
    orphanEvents(block, receipt)
      .filter(({ kind }) => eventKind(kind).startsWith('nft_'))
      .map(event => ({ ...event, tx_index: receipt.index })),
  );
  return [...messages, ...nftMessages(subscriptions, moves)];
}

/** Messages about a block that a fork removed: the block as not canonical, and the balances of its accounts without it. */
export async function orphanedBlockMessages(
  sql: Sql,
  subscriptions: Subscriptions,
  indexHash: Uint8Array,
): Promise<Message[]> {
  if (!subscriptions.any('removed-block', 'address-stx-balance')) return [];
  const block = await findLoggedBlock(sql, { indexHash });
  if (!block) return [];
  const messages: Message[] = [];
  if (subscriptions.has(removedBlockTopic)) {
    messages.push(new Message(removedBlockTopic, renderBlock(orphanBlockRow(block), orphanBlockContents(block))));
  }
  const names = [...accountsOf(block)].filter(key => subscriptions.has({ kind: 'address-stx-balance', key }));
  return [...messages, ...(await readBalances(sql, names.map(principalToBytes), 'tip'))];
}

/**
 * Messages about a block that arrived on another branch: the block as not canonical, its own transactions, and again the
 * unchanged transactions and balances of the canonical block at its height.
 */
export async function nonCanonicalBlockMessages(
  sql: Sql,
  subscriptions: Subscriptions,
  interfaces: InterfaceStore,
  { height, index_hash: indexHash }: BlockReference,
  announced: AnnouncedIndexes,
): Promise<Message[]> {
  if (!subscriptions.any('block', 'transaction', 'address-transaction', 'address-stx-balance')) return [];
  const block = await findLoggedBlock(sql, { indexHash });
  if (!block) return [];
  const messages: Message[] = [];
  if (subscriptions.has(blockTopic)) {
    // Clients expect the microblocks between it and its parent, whether it confirms them or not.
    const rival = await findBlock(sql, { height });
    const shared = rival?.parent_index_hash.equals(block.parentIndexHash);
    const { accepted } = shared ? await findBlockContents(sql, height) : orphanBlockContents(block);
    messages.push(blockMessage(renderBlock(orphanBlockRow(block), { txIds: [], accepted, streamed: [] })));
  }
  const standing = await transactionMessages(sql, subscriptions, { height, asOf: { height }, interfaces, announced });
  const known = new Set(standing.map(({ topic }) => topicName(topic)));
  for (const receipt of block.receipts) {
    const topic: Topic = { kind: 'transaction', key: toHex(receipt.txId) };
    if (known.has(topicName(topic)) || !subscriptions.has(topic)) continue;
    messages.push(transactionMessage(await readOrphanTransaction(sql, block, receipt)));
  }
  return [...messages, ...standing];
}

/** Messages about microblocks on the tip that were not announced before; their hashes are added to `known`. */
export async function microblockMessages(
  sql: Sql,
  subscriptions: Subscriptions,
  interfaces: InterfaceStore,
  tip: number,
  known: Set<string>,
  announced: AnnouncedIndexes,
): Promise<Message[]> {
  const fresh = (await listMicroblocksOn(sql, tip)).filter(({ hash }) => !known.has(bareHex(hash)));
  if (fresh.length === 0) return [];
  for (const { hash } of fresh) known.add(bareHex(hash));
  const isNew = ({ microblock }: { microblock: Buffer }) => fresh.some(({ hash }) => hash.equals(microblock));
  const changes = { height: tip + 1, asOf: 'unanchored', isNew } as const;
  for (const { tx_ids: ids } of fresh) {
    splitHashes(ids ?? Buffer.alloc(0)).forEach((id, index) => {
      announced.set(toHex(id), index);
    });
  }
  return [
    ...fresh.map(row => new Message(microblockTopic, renderMicroblock(row))),
    ...(await transactionMessages(sql, subscriptions, { ...changes, interfaces, announced })),
  ];
}

/** What the registry of sBTC printed in a block, for all and for the account that it concerns. */
async function sbtcMessages(sql: Sql, subscriptions: Subscriptions, height: number): Promise<Message[]> {
  if (!subscriptions.any('sbtc', 'address-sbtc')) return [];
  return (await listSbtcEvents(sql, [height])).flatMap(row => {
    const event = renderSbtcEvent(row);
    const topics: Topic[] = [{ kind: 'sbtc', key: '' }];
    if (event.principal !== null) topics.push({ kind: 'address-sbtc', key: event.principal });
    return topics.filter(topic => subscriptions.has(topic)).map(topic => new Message(topic, event));
  });
}

async function nftChangeMessages(sql: Sql, subscriptions: Subscriptions, height: number): Promise<Message[]> {
  if (!subscriptions.any('nft-event', 'nft-asset-event', 'nft-collection-event')) return [];
  return nftMessages(subscriptions, await listNftMoves(sql, height));
}

function nftMessages(subscriptions: Subscriptions, moves: readonly NftMove[]): Message[] {
  return moves.flatMap(row => {
    const event = renderNftEvent(row);
    const topics: Topic[] = [
      { kind: 'nft-event', key: '' },
      { kind: 'nft-asset-event', key: assetKey(event.asset_identifier, event.value.hex) },
      { kind: 'nft-collection-event', key: event.asset_identifier },
    ];
    return topics.filter(topic => subscriptions.has(topic)).map(topic => new Message(topic, event));
  });
}
