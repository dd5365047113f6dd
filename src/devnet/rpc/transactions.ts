import { CodecError } from '../../codec/error.ts';
import { fromHex } from '../../codec/hex.ts';
import { Reader } from '../../codec/reader.ts';
import { readPayload } from '../../codec/transaction/payload.ts';
import { isRejection } from '../node/admission.ts';
import type { DevnetNode } from '../node/devnet-node.ts';
import { badRequest, notFound, type RpcAnswer, type RpcRoute } from './server.ts';

/** Bytes of an ordinary transaction around its payload. */
const ordinaryLength = 180;

/** Sending transactions and asking what they cost. */
export function transactionRoutes(node: DevnetNode): RpcRoute[] {
  return [
    {
      method: 'POST',
      path: /^\/v2\/transactions$/,
      async answer({ type, body }) {
        const raw = transactionBytes(await body(), type);
        if (!raw) return badRequest('Failed to decode: neither raw bytes nor {"tx": hex}');
        const answer = node.submit(raw);
        return isRejection(answer) ? { status: 400, json: answer } : { json: answer.txId.slice(2) };
      },
    },
    {
      method: 'GET',
      path: /^\/v2\/transactions\/unconfirmed\/(?:0x)?([0-9a-f]{64})$/,
      answer({ parts: [txId] }) {
        const waiting = node.mempool.get(`0x${txId}`);
        return waiting ? { json: { status: 'Mempool', tx: waiting.raw.slice(2) } } : notFound('No such transaction');
      },
    },
    { method: 'GET', path: /^\/v2\/fees\/transfer$/, answer: () => ({ json: 1 }) },
    {
      method: 'POST',
      path: /^\/v2\/fees\/transaction$/,
      answer: async ({ body }) => estimate(await body()),
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

function estimate(body: Buffer): RpcAnswer {
  try {
    const asked = JSON.parse(body.toString('utf8')) as { transaction_payload?: string; estimated_len?: number };
    const bytes = fromHex(asked.transaction_payload ?? '');
    const payload = readPayload(new Reader(bytes));
    const length = Math.max(asked.estimated_len ?? 0, bytes.length + ordinaryLength);
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
