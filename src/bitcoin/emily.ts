import { principalFromBytes } from '@cairn-stacks/codec/address/principal';
import { principal } from '@cairn-stacks/codec/clarity/build';
import { encodeClarity } from '@cairn-stacks/codec/clarity/encode';
import { bareHex } from '@cairn-stacks/codec/hex';
import type { NodeRpc } from '../node/rpc.ts';
import {
  ANSWER_MS,
  type Answer,
  type BitcoinSource,
  MAX_SATS,
  type OutputJob,
  objectOf,
  readJson,
  SourceError,
  sourceNumbers,
  wholeNumber,
} from './source.ts';

const MAX_BYTES = 256 << 10;
const DAY_SECONDS = 86_400;
/** Days for which Emily is asked about a deposit that she does not know. */
const PATIENCE_DAYS = 7;
/** Blocks that a relative lock can last (BIP-68). */
const MAX_LOCK = 65_535;

/** Emily, the service in front of the signers of sBTC: she knows what depositors have agreed to. */
export class Emily implements BitcoinSource {
  readonly number = sourceNumbers.emily;
  readonly name = 'Emily';
  readonly #rpc: NodeRpc;
  readonly #timeoutMs: number;

  constructor(rpc: NodeRpc, timeoutMs = ANSWER_MS) {
    this.#rpc = rpc;
    this.#timeoutMs = timeoutMs;
  }

  async ask(job: OutputJob): Promise<Answer> {
    const path = `/deposit/${bareHex(job.tx_id)}/${job.vout}`;
    const { status, body } = await this.#rpc.call(
      { method: 'GET', path },
      { timeoutMs: this.#timeoutMs, maxBytes: MAX_BYTES },
    );
    if (status === 404) return job.attempts < PATIENCE_DAYS ? { againSeconds: DAY_SECONDS } : {};
    if (status !== 200) throw new SourceError(`status ${status}`);
    return { facts: factsOf(objectOf(readJson(body), 'the deposit'), job) };
  }

  async close(): Promise<void> {
    await this.#rpc.close();
  }
}

/** What is said of a deposit, as far as it agrees with what is on the chain. */
function factsOf(deposit: Record<string, unknown>, job: OutputJob) {
  if (deposit.bitcoinTxid !== bareHex(job.tx_id) || deposit.bitcoinTxOutputIndex !== job.vout)
    throw new SourceError('the answer is about another deposit');
  if (job.recipient && bareHexOf(deposit.recipient) !== recipientHex(job.recipient))
    throw new SourceError('the deposit has another recipient than its sBTC');
  const parameters = objectOf(deposit.parameters, 'what the depositor agreed to');
  const amount = wholeNumber(deposit.amount, 1, MAX_SATS);
  const maxFee = wholeNumber(parameters.maxFee, 0, MAX_SATS);
  if (amount === undefined || maxFee === undefined) throw new SourceError('an amount is none');
  const minted = BigInt(job.amount);
  if (BigInt(amount) < minted || BigInt(amount) - minted > BigInt(maxFee))
    throw new SourceError('the amounts do not fit what was minted');
  return {
    told_amount: BigInt(amount),
    max_fee: BigInt(maxFee),
    lock_blocks: wholeNumber(parameters.lockTime, 1, MAX_LOCK) ?? null,
  };
}

const bareHexOf = (value: unknown): string => (typeof value === 'string' ? value.toLowerCase().replace(/^0x/, '') : '');

/** A recipient as Emily writes it: as a Clarity value. */
const recipientHex = (name: Uint8Array): string => bareHex(encodeClarity(principal(principalFromBytes(name))));
