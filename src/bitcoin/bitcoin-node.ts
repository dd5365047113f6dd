import { type BitcoinTransaction, decodeBitcoinTransaction } from '@cairn-stacks/codec/bitcoin/transaction';
import { CodecError } from '@cairn-stacks/codec/error';
import { bareHex, fromHex } from '@cairn-stacks/codec/hex';
import { outputKinds, sweepStates } from '../chain/sbtc/bitcoin-output.ts';
import type { NodeRpc } from '../node/rpc.ts';
import {
  ANSWER_MS,
  type Answer,
  type BitcoinSource,
  type OutputJob,
  objectOf,
  readJson,
  SourceError,
  sourceNumbers,
  wholeNumber,
} from './source.ts';

/** A transaction of sBTC has some kilobytes; its answer repeats it in other forms. */
const MAX_BYTES = 4 << 20;
/** The code of Bitcoin Core for a transaction or a block that it does not know. */
const UNKNOWN = -5;
/** Blocks after which nobody looks again whether the sweep is still there. */
const DEEP = 6;
const FIRST_LOOK_SECONDS = 600;
const LONGEST_LOOK_SECONDS = 86_400;
const MAX_HEIGHT = 2_147_483_647;

/** A transaction as the node has it: its bytes are proven by its id; where it is, the node only says. */
type Found = { transaction: BitcoinTransaction; block: string | undefined; confirmations: number };

/** A Bitcoin node with the RPC of Bitcoin Core: it has the bytes of deposits and sweeps. */
export class BitcoinNode implements BitcoinSource {
  readonly number = sourceNumbers.node;
  readonly name = 'the Bitcoin node';
  readonly #rpc: NodeRpc;
  readonly #timeoutMs: number;

  constructor(rpc: NodeRpc, timeoutMs = ANSWER_MS) {
    this.#rpc = rpc;
    this.#timeoutMs = timeoutMs;
  }

  async ask(job: OutputJob): Promise<Answer> {
    const sweep = await this.#sweep(job);
    const state = sweep === undefined ? 'not_found' : sweep.confirmations > 0 ? 'in_block' : 'in_mempool';
    const about = {
      sweep_state: sweepStates[state],
      sweep_tx_id: job.sweep_tx_id,
      sweep_burn_hash: job.sweep_burn_hash,
    };
    const isDeep = sweep !== undefined && sweep.confirmations >= DEEP;
    const againSeconds = Math.min(FIRST_LOOK_SECONDS * 2 ** Math.min(job.attempts - 1, 10), LONGEST_LOOK_SECONDS);
    const own = job.kind === outputKinds.deposit ? await this.#deposit(job, sweep) : paymentOf(job, sweep);
    return { facts: { ...about, ...own }, ...(!isDeep && { againSeconds }) };
  }

  async close(): Promise<void> {
    await this.#rpc.close();
  }

  /** The sweep in the block that the signers have named, else wherever it is now. */
  async #sweep({ sweep_tx_id: id, sweep_burn_hash: hash }: OutputJob): Promise<Found | undefined> {
    const there = await this.#transaction(id, bareHex(hash));
    if (there && there.confirmations > 0) return there;
    const elsewhere = await this.#transaction(id);
    if (elsewhere) return elsewhere;
    // A node of another network, or one that is behind, knows no more than this.
    if (!(await this.#call('getblockheader', [bareHex(hash)])))
      throw new SourceError('the block of a sweep is unknown');
    return undefined;
  }

  async #deposit(job: OutputJob, sweep: Found | undefined) {
    const swept =
      sweep?.transaction.inputs.some(({ txId, vout }) => vout === job.vout && bareHex(txId) === bareHex(job.tx_id)) ??
      null;
    // Only a node with an index of all transactions has it.
    const found = await this.#transaction(job.tx_id);
    if (!found) return { swept, amount: null, script: null, mined_height: null };
    const height = found.block === undefined ? undefined : await this.#heightOf(found.block);
    const mined = height !== undefined && height <= job.burn_height ? height : null;
    return { swept, ...outputOf(found.transaction, job.vout), mined_height: mined };
  }

  async #heightOf(block: string): Promise<number | undefined> {
    const header = await this.#call('getblockheader', [block]);
    return header === undefined ? undefined : wholeNumber(objectOf(header, 'a header').height, 0, MAX_HEIGHT);
  }

  async #transaction(id: Uint8Array, block?: string): Promise<Found | undefined> {
    const result = await this.#call('getrawtransaction', [bareHex(id), true, ...(block === undefined ? [] : [block])]);
    if (result === undefined) return undefined;
    const { hex, blockhash, confirmations, in_active_chain: isActive } = objectOf(result, 'a transaction');
    const transaction = decoded(hex);
    if (bareHex(transaction.id) !== bareHex(id)) throw new SourceError('the node sent another transaction');
    const count = isActive === false ? 0 : (wholeNumber(confirmations, 0, MAX_HEIGHT) ?? 0);
    const inBlock = typeof blockhash === 'string' && /^[0-9a-f]{64}$/.test(blockhash);
    return { transaction, block: inBlock ? blockhash : undefined, confirmations: inBlock ? count : 0 };
  }

  /** The result of a call; undefined if the node does not know what it is about. */
  async #call(method: string, params: readonly unknown[]): Promise<unknown> {
    const body = Buffer.from(JSON.stringify({ jsonrpc: '1.0', id: 'cairn', method, params }));
    const headers = { 'content-type': 'application/json' };
    const limits = { timeoutMs: this.#timeoutMs, maxBytes: MAX_BYTES };
    const response = await this.#rpc.call({ method: 'POST', path: '/', headers, body }, limits);
    if (response.status === 401 || response.status === 403) throw new SourceError(`status ${response.status}`);
    const { result, error } = objectOf(readJson(response.body), 'the answer');
    if (error === null || error === undefined) {
      if (result === null || result === undefined) throw new SourceError('the answer has no result');
      return result;
    }
    const { code } = objectOf(error, 'the error');
    if (code === UNKNOWN) return undefined;
    throw new SourceError(`error ${String(wholeNumber(code, -1e9, 1e9))} of ${method}`);
  }
}

function decoded(hex: unknown): BitcoinTransaction {
  if (typeof hex !== 'string') throw new SourceError('a transaction has no bytes');
  try {
    return decodeBitcoinTransaction(fromHex(hex));
  } catch (error) {
    if (!(error instanceof CodecError)) throw error;
    throw new SourceError('the bytes of a transaction are none');
  }
}

/** What an output holds; nothing if the transaction has no such output. */
function outputOf({ outputs }: BitcoinTransaction, vout: number): { amount: bigint; script: Uint8Array } {
  return outputs[vout] ?? { amount: 0n, script: new Uint8Array(0) };
}

const paymentOf = (job: OutputJob, sweep: Found | undefined) =>
  sweep ? outputOf(sweep.transaction, job.vout) : { amount: null, script: null };
