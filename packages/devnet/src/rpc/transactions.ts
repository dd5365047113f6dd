import { CodecError } from '@cairn-stacks/codec/error';
import { bareHex, fromHex } from '@cairn-stacks/codec/hex';
import { Reader } from '@cairn-stacks/codec/reader';
import { readPayload } from '@cairn-stacks/codec/transaction/payload';
import type { BlockRecord } from '../chain/stored/block-record.ts';
import { isRejection } from '../node/admission.ts';
import type { DevnetNode } from '../node/devnet-node.ts';
import { badRequest, notFound, type RpcResponse, type RpcRoute } from './route.ts';

/** Bytes of a typical transaction in addition to its payload. */
const typicalOverhead = 180;

/** Submits transactions and estimates fees. */
export function transactionRoutes(node: DevnetNode): RpcRoute[] {
  return [
    {
      method: 'POST',
      path: /^\/v2\/transactions$/,
      async respond({ type, body }) {
        const raw = transactionBytes(await body(), type);
        if (!raw) return badRequest('Failed to decode: neither raw bytes nor {"tx": hex}');
        const submitted = node.submit(raw);
        return isRejection(submitted) ? { status: 400, json: submitted } : { json: submitted.txId.slice(2) };
      },
    },
    {
      method: 'GET',
      path: /^\/v2\/transactions\/unconfirmed\/(?:0x)?([0-9a-f]{64})$/,
      respond({ params: [txId] }) {
        const pending = node.mempool.get(`0x${txId}`);
        return pending ? { json: { status: 'Mempool', tx: pending.raw.slice(2) } } : notFound('No such transaction');
      },
    },
    {
      method: 'GET',
      path: /^\/v3\/transaction\/(?:0x)?([0-9a-f]{64})$/,
      respond: ({ params: [txId] }) => minedTransaction(node, txId!),
    },
    { method: 'GET', path: /^\/v2\/fees\/transfer$/, respond: () => ({ json: 1 }) },
    {
      method: 'POST',
      path: /^\/v2\/fees\/transaction$/,
      respond: async ({ body }) => estimate(await body()),
    },
  ];
}

/** A mined transaction with its block; a block of another branch is named only if no canonical block has it. */
function minedTransaction(node: DevnetNode, txId: string): RpcResponse {
  const canonical = new Map([...node.canonical()].map(({ id, height }) => [id, height]));
  const inBlock = [...node.blocks.values()].flatMap(({ indexHash, height, transactions }) => {
    const mined = transactions.find(each => each.txId === `0x${txId}`);
    return mined ? [{ id: indexHash, height, tx: mined.raw.slice(2), result: bareHex(mined.result) }] : [];
  });
  const archived = inBlock.length > 0 ? [] : [...node.archived.values()].flatMap(record => archivedIn(record, txId));
  const found = [...inBlock, ...archived].sort((a, b) => Number(canonical.has(b.id)) - Number(canonical.has(a.id)))[0];
  if (!found) return notFound('No such transaction');
  const { id, height, tx, result } = found;
  return {
    json: { index_block_hash: id.slice(2), tx, result, block_height: height, is_canonical: canonical.has(id) },
  };
}

/** A transaction in a block of an earlier process. */
function archivedIn({ id, height, replay }: BlockRecord, txId: string) {
  const { transactions = [] } = (replay ?? {}) as {
    transactions?: { txid: string; hex: string; result_hex: string }[];
  };
  const mined = transactions.find(each => each.txid === txId);
  return mined ? [{ id, height, tx: mined.hex, result: mined.result_hex.replace(/^0x/, '') }] : [];
}

function transactionBytes(body: Buffer, type: string): Uint8Array | undefined {
  if (!type.includes('json')) return body;
  try {
    const { tx } = JSON.parse(body.toString('utf8')) as { tx?: unknown };
    return typeof tx === 'string' ? fromHex(tx) : undefined;
  } catch {
    return undefined;
  }
}

function estimate(body: Buffer): RpcResponse {
  try {
    const request = JSON.parse(body.toString('utf8')) as {
      transaction_payload?: unknown;
      estimated_len?: unknown;
    } | null;
    const { transaction_payload: hex, estimated_len: estimated = 0 } = request ?? {};
    if (typeof hex !== 'string') return badRequest('transaction_payload must be a payload in hex');
    if (typeof estimated !== 'number') return badRequest('estimated_len must be a number');
    const bytes = fromHex(hex);
    const payload = readPayload(new Reader(bytes));
    const length = Math.max(estimated, bytes.length + typicalOverhead);
    const plain = payload.type === 'token_transfer';
    const rates = [1, 1.5, 3];
    return {
      json: {
        estimated_cost: plain
          ? { read_count: 0, read_length: 0, runtime: 0, write_count: 0, write_length: 0 }
          : { read_count: 6, read_length: 1_900, runtime: 16_300, write_count: 2, write_length: 120 },
        estimated_cost_scalar: length,
        estimations: rates.map(rate => ({ fee_rate: rate, fee: Math.ceil(length * rate) })),
        cost_scalar_change_by_byte: 0.00476837158203125,
      },
    };
  } catch (error) {
    if (error instanceof CodecError || error instanceof SyntaxError || error instanceof RangeError) {
      return badRequest(`Failed to deserialize: ${error.message}`);
    }
    throw error;
  }
}
