import { CodecError } from '../../codec/error.ts';
import { fromHex } from '../../codec/hex.ts';
import { Reader } from '../../codec/reader.ts';
import { readPayload } from '../../codec/transaction/payload.ts';
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
    { method: 'GET', path: /^\/v2\/fees\/transfer$/, respond: () => ({ json: 1 }) },
    {
      method: 'POST',
      path: /^\/v2\/fees\/transaction$/,
      respond: async ({ body }) => estimate(await body()),
    },
  ];
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
    const request = JSON.parse(body.toString('utf8')) as { transaction_payload?: string; estimated_len?: number };
    const bytes = fromHex(request.transaction_payload ?? '');
    const payload = readPayload(new Reader(bytes));
    const length = Math.max(request.estimated_len ?? 0, bytes.length + typicalOverhead);
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
