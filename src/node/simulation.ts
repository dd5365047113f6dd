import { isAssetId, isPrincipal } from '@cairn-stacks/codec/address/principal';
import { decodeClarity } from '@cairn-stacks/codec/clarity/value';
import { CodecError, UnknownCodeError } from '@cairn-stacks/codec/error';
import { bareHex } from '@cairn-stacks/codec/hex';
import type { ChainEvent } from '../chain/event.ts';
import type { Cost, KnownStatus } from '../chain/transaction.ts';
import { readEvent } from './events.ts';
import {
  amount,
  array,
  bytes,
  integer,
  type Json,
  MessageError,
  object,
  optionalText,
  parseMessage,
  text,
} from './json.ts';
import { readCost } from './receipts.ts';

/** A transaction as a node executed it on top of its tip, without keeping the result. */
export type Simulation = {
  status: Extract<KnownStatus, 'success' | 'abort_by_response' | 'abort_by_post_condition'>;
  /** The tip: the block under the one that would hold the transaction. */
  tip: Uint8Array;
  consensusHash: Uint8Array;
  /** Height of the block that would hold the transaction. */
  height: number;
  result: Uint8Array;
  vmError: string | undefined;
  stxBurned: bigint;
  cost: Cost;
  /** What a transaction may use at most. */
  limit: Cost;
  /** None if the transaction was aborted. */
  events: { index: number; event: ChainEvent }[];
};

/** The answer to a simulation: a result, or why the transaction cannot be executed at all. `node` is the name of the node. */
export type SimulationAnswer =
  | { node: string; height: number; simulation: Simulation }
  | { node: string | undefined; refused: string };

/** Lets a node execute a signed transaction on top of its tip; `context` are headers that identify the request there. */
export type SimulateTransaction = (
  raw: Uint8Array,
  context: Readonly<Record<string, string>>,
) => Promise<SimulationAnswer>;

/** Longest error that is shown; nodes cut their own at the same length. */
export const MAX_ERROR_LENGTH = 4096;

/** First byte of a serialized `(err …)`. */
const ERR = 0x08;

/** Reads what `/v3/transactions/simulate` responds for the transaction with an id; throws a MessageError if that is nonsense. */
export function readSimulation(body: Uint8Array, txId: Uint8Array): Simulation {
  try {
    const json = object(parseMessage(body), 'the response');
    if (!Buffer.from(txId).equals(bytes(json.txid, 'txid', 32)))
      throw new MessageError('txid is of another transaction');
    const result = value(bytes(json.result_hex, 'result_hex'));
    return {
      status: isTrue(json, 'post_condition_aborted')
        ? 'abort_by_post_condition'
        : result[0] === ERR
          ? 'abort_by_response'
          : 'success',
      tip: bytes(json.tip_block_id, 'tip_block_id', 32),
      consensusHash: bytes(json.consensus_hash, 'consensus_hash', 20),
      height: integer(json, 'block_height'),
      result,
      vmError: optionalText(json, 'vm_error')?.slice(0, MAX_ERROR_LENGTH),
      stxBurned: amount(json, 'stx_burned'),
      cost: costOf(json, 'execution_cost'),
      limit: costOf(json, 'execution_limit'),
      events: eventsOf(json),
    };
  } catch (error) {
    if (error instanceof CodecError) throw new MessageError(error.message, { cause: error });
    throw error;
  }
}

function isTrue(json: Json, key: string): boolean {
  const value = json[key];
  if (typeof value !== 'boolean') throw new MessageError(`${key} is neither true nor false`);
  return value;
}

function costOf(json: Json, key: string): Cost {
  const cost = object(json[key], key);
  for (const part of ['runtime', 'read_count', 'read_length', 'write_count', 'write_length']) {
    if (integer(cost, part) < 0) throw new MessageError(`${key}.${part} is negative`);
  }
  return readCost(cost);
}

/** Events in the order of their indexes; each is of principals and assets that exist. */
function eventsOf(json: Json): Simulation['events'] {
  const read = array(json.events, 'events').map((item, i) => {
    const event = object(item, `events[${i}]`);
    const id = text(event, 'txid').replace(/^0x/, '');
    if (id !== bareHex(bytes(json.txid, 'txid', 32))) throw new MessageError(`events[${i}] is of another transaction`);
    return { index: integer(event, 'event_index'), event: checked(readEvent(event)) };
  });
  return read.sort((a, b) => a.index - b.index);
}

/** Nothing that could not be rendered gets further. */
function checked(event: ChainEvent): ChainEvent {
  const { sender, recipient, principal, asset } = event as { [key: string]: unknown };
  const contract = event.kind === 'print' ? event.contract : undefined;
  for (const who of [sender, recipient, principal, contract]) {
    if (who !== undefined && !isPrincipal(String(who))) throw new MessageError(`a ${event.kind} names no principal`);
  }
  if (asset !== undefined && !isAssetId(String(asset))) throw new MessageError(`a ${event.kind} names no asset`);
  if ('value' in event) value(event.value);
  return event;
}

/** A serialized value, which may hold types newer than this program. */
function value<T extends Uint8Array>(serialized: T): T {
  try {
    decodeClarity(serialized);
  } catch (error) {
    if (!(error instanceof UnknownCodeError)) throw error;
  }
  return serialized;
}
