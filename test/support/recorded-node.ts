import { bitcoinToPoxAddress } from '@cairn-stacks/codec/address/bitcoin-address';
import { principalToBytes } from '@cairn-stacks/codec/address/principal';
import { decodeBitVector } from '@cairn-stacks/codec/block/bit-vector';
import { blockId } from '@cairn-stacks/codec/block/block-header';
import { encodeNakamotoBlock, type NakamotoHeader, nakamotoBlockHash } from '@cairn-stacks/codec/block/nakamoto-block';
import { bareHex, fromHex, toHex } from '@cairn-stacks/codec/hex';
import { decodeTransaction, senderAddress } from '@cairn-stacks/codec/transaction/transaction';
import { notFound, type RpcRoute } from '@cairn-stacks/devnet/rpc/route';
import { serveRoutes } from '@cairn-stacks/devnet/rpc/server';
import { readRecordedEvents } from '../../src/ingest/replay/recorded-events.ts';
import type { TestDatabase } from './database.ts';
import { type BlockBody, isBoot } from './healing.ts';

type Ending = { onTestFinished(work: () => Promise<void>): void };

/** A recorded chain whose Nakamoto blocks have bytes that hash to their ids. */
export type RecordedChain = { messages: { path: string; body: BlockBody }[]; bytes: Map<string, Uint8Array> };

const hashKeys = [
  ...['block_hash', 'index_block_hash', 'parent_block_hash', 'parent_index_block_hash', 'signer_signature_hash'],
];

/**
 * The blocks of a recording. Events leave out two fields of a header (burn spent, state root), so that the signed bytes
 * cannot be had from them: the blocks are sealed again with other values there, and every message names the new hashes.
 */
export async function readRecordedChain(file: string): Promise<RecordedChain> {
  const renamed = new Map<string, string>();
  const chain: RecordedChain = { messages: [], bytes: new Map() };
  for await (const { path, body } of readRecordedEvents(file)) {
    if (path !== '/new_block') continue;
    const block = JSON.parse(body.toString()) as BlockBody;
    rename(block, renamed);
    if (block.signer_signature) {
      const header = headerOf(block);
      const transactions = ownTransactions(block).map(tx => {
        const bytes = fromHex(String(tx.raw_tx));
        return { bytes, transaction: decodeTransaction(bytes) };
      });
      const hash = nakamotoBlockHash(header);
      const id = blockId(hash, header.consensusHash);
      renamed.set(String(block.block_hash), toHex(hash)).set(block.index_block_hash, toHex(id));
      rename(block, renamed);
      chain.bytes.set(bareHex(id), encodeNakamotoBlock({ header, transactions }));
    }
    chain.messages.push({ path, body: block });
  }
  return chain;
}

function rename(block: BlockBody, renamed: ReadonlyMap<string, string>): void {
  for (const key of hashKeys) {
    const other = renamed.get(String(block[key]));
    if (other !== undefined) block[key] = other;
  }
}

const headerOf = (block: BlockBody): NakamotoHeader => ({
  version: 0,
  chainLength: BigInt(block.block_height),
  burnSpent: 0n,
  consensusHash: fromHex(String(block.consensus_hash)),
  parentBlockId: fromHex(String(block.parent_index_block_hash)),
  transactionMerkleRoot: new Uint8Array(32),
  stateRoot: new Uint8Array(32),
  timestamp: BigInt(block.block_time as number),
  minerSignature: fromHex(String(block.miner_signature)),
  signerSignatures: (block.signer_signature as string[]).map(fromHex),
  poxTreatment: decodeBitVector(fromHex(String(block.signer_bitvec))),
  problematicTransactions: [],
});

/** What the block itself carries: no operations of the burn chain, nothing that the node added. */
const ownTransactions = (block: BlockBody) => block.transactions.filter(tx => tx.raw_tx !== '0x00' && !isBoot(tx));

/** A block executed again, as a node tells it: events are numbered in each transaction, and signers are left out. */
function replayOf(block: BlockBody): object {
  return {
    block_id: block.index_block_hash.slice(2),
    parent_block_id: String(block.parent_index_block_hash).slice(2),
    block_hash: String(block.block_hash).slice(2),
    block_height: block.block_height,
    timestamp: block.block_time,
    consensus_hash: String(block.consensus_hash).slice(2),
    miner_signature: String(block.miner_signature).slice(2),
    signer_signature: [],
    valid_merkle_root: true,
    transactions: ownTransactions(block).map((tx, tx_index) => ({
      tx_index,
      txid: String(tx.txid).slice(2),
      hex: String(tx.raw_tx).slice(2),
      result_hex: tx.raw_result,
      execution_cost: tx.execution_cost,
      post_condition_aborted: tx.status === 'abort_by_post_condition',
      vm_error: tx.vm_error,
      data: null,
      events: block.events
        .filter(event => event.txid === tx.txid && event.committed !== false)
        .sort((a, b) => Number(a.event_index) - Number(b.event_index))
        .map((event, event_index) => ({ ...event, event_index })),
    })),
  };
}

type SetJson = { rewarded_addresses: string[]; signers: { stacked_amt: string }[]; pox_ustx_threshold: string | null };

/** Amounts are numbers in the RPC, and addresses the parts that they are made of. */
const stackerSet = (set: SetJson) => ({
  ...set,
  rewarded_addresses: set.rewarded_addresses.map(text => ({
    Standard: [{ version: 26, bytes: bareHex(bitcoinToPoxAddress(text).hash) }, 'SerializeP2PKH'],
  })),
  signers: set.signers.map(signer => ({ ...signer, stacked_amt: Number(signer.stacked_amt) })),
  pox_ustx_threshold: set.pox_ustx_threshold === null ? null : Number(set.pox_ustx_threshold),
});

/** A node that has a recorded chain; `whole` is the index of all of it, which knows the balances of every block. */
export async function serveRecordedChain(
  t: Ending,
  { messages, bytes }: RecordedChain,
  whole: TestDatabase,
  { cycleLength, epochStarts }: { cycleLength: number; epochStarts: number[] },
): Promise<string> {
  const blocks = new Map(messages.map(({ body }) => [body.index_block_hash.slice(2), body]));
  const interfaces = new Map<string, unknown>();
  for (const { body } of messages) {
    for (const { raw_tx, contract_interface } of body.transactions) {
      if (!contract_interface || raw_tx === '0x00') continue;
      const transaction = decodeTransaction(fromHex(String(raw_tx)));
      const { payload } = transaction;
      if ('name' in payload) interfaces.set(`${senderAddress(transaction)}.${payload.name}`, contract_interface);
    }
  }
  const at = (query: URLSearchParams) => blocks.get(query.get('tip') ?? '');
  const get = (path: RegExp, respond: RpcRoute['respond']): RpcRoute => ({ method: 'GET', path, respond });
  const routes: RpcRoute[] = [
    get(/^\/v3\/blocks\/([0-9a-f]{64})$/, ({ params: [id = ''] }) => {
      const found = bytes.get(id);
      return found ? { bytes: found } : notFound('No such block');
    }),
    get(/^\/v3\/blocks\/replay\/([0-9a-f]{64})$/, ({ params: [id = ''] }) => {
      const block = blocks.get(id);
      return block ? { json: replayOf(block) } : notFound('No such block');
    }),
    get(/^\/v3\/sortitions\/consensus\/([0-9a-f]{40})$/, ({ params: [hash] }) => {
      const block = messages.find(({ body }) => body.consensus_hash === `0x${hash}`)?.body;
      if (!block) return notFound('No such sortition');
      const { burn_block_hash, burn_block_height, burn_block_time } = block;
      return { json: [{ burn_block_hash, burn_block_height, burn_header_timestamp: burn_block_time }] };
    }),
    get(/^\/v2\/contracts\/interface\/([^/]+)\/([^/]+)$/, ({ params }) => {
      const found = interfaces.get(params.join('.'));
      return found ? { json: found } : notFound('No contract interface data found');
    }),
    get(/^\/v2\/accounts\/([^/]+)$/, async ({ params: [principal = ''], query }) => {
      const [row] = await whole.sql<{ balance: string }[]>`
        select coalesce(b.received, 0) + coalesce(b.rewards, 0) - coalesce(b.sent, 0) - coalesce(b.fees, 0) as balance
        from stx_balances b
        join principals p on p.id = b.principal
        where p.name = ${Buffer.from(principalToBytes(principal))} and b.height <= ${at(query)!.block_height}
        order by b.height desc
        limit 1
      `;
      const balance = `0x${BigInt(row?.balance ?? 0)
        .toString(16)
        .padStart(32, '0')}`;
      return { json: { balance, locked: '0x00', unlock_height: 0, nonce: 0 } };
    }),
    get(/^\/v2\/pox$/, async ({ query }) => {
      const [row] = await whole.sql<{ supply: string }[]>`
        select b.supply from blocks b where b.height = ${at(query)?.block_height ?? 1}
      `;
      const json = {
        first_burnchain_block_height: 0,
        reward_cycle_length: cycleLength,
        epochs: epochStarts.map(start_height => ({ start_height })),
      };
      // The supply of this network does not fit into a number of JavaScript.
      const text = `{"total_liquid_supply_ustx":${row!.supply},${JSON.stringify(json).slice(1)}`;
      return { status: 200, text };
    }),
    get(/^\/v3\/stacker_set\/(\d+)$/, ({ params: [cycle], query }) => {
      for (let block = at(query); block; block = blocks.get(String(block.parent_index_block_hash).slice(2))) {
        if (block.cycle_number !== Number(cycle) || !block.reward_set) continue;
        return { json: { stacker_set: stackerSet(block.reward_set as SetJson) } };
      }
      return { status: 400, json: { response: 'error', err_type: 'not_available_try_again' } };
    }),
  ];
  const server = await serveRoutes(routes, { host: '127.0.0.1', port: 0 });
  t.onTestFinished(() => server.stop());
  return server.url;
}
