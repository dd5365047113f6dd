import { CodecError } from '@cairn-stacks/codec/error';
import { decodeAccepted, type Transaction, transactionId } from '@cairn-stacks/codec/transaction/transaction';
import type { ChainEvent } from '../chain/event.ts';
import type { BurnOperation, Cost, Receipt } from '../chain/transaction.ts';
import { readBurnOperation } from './burn-operations.ts';
import { readEvent } from './events.ts';
import {
  array,
  bytes,
  integer,
  items,
  type Json,
  MessageError,
  object,
  optionalInteger,
  optionalText,
  text,
  UnknownFormatError,
} from './json.ts';

/** Transactions of a message with their committed events, in the order of the message. */
export function readReceipts(message: Json): Receipt[] {
  const transactions = array(message.transactions, 'transactions').map((item, i) => object(item, `transactions[${i}]`));
  const events = readEvents(message, transactions);
  const burnHeight = optionalInteger(message, 'burn_block_height') ?? 0;
  return transactions.map(json =>
    reading(json.txid, () => readReceipt(json, events.get(normalId(json.txid)) ?? [], burnHeight)),
  );
}

const normalId = (id: unknown) => String(id).toLowerCase();

/** Reads a part of a transaction; an error names the transaction. */
function reading<T>(id: unknown, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const Kind = error instanceof UnknownFormatError ? UnknownFormatError : MessageError;
    throw new Kind(`transaction ${String(id)}: ${(error as Error).message}`, { cause: error });
  }
}

/** Events of one transaction with their indexes. */
type Group = { indexes: number[]; events: ChainEvent[] };

/**
 * Committed events of each transaction, sorted: the node sends them in any order. Each is read as it comes, so that the JSON of
 * half a million is never held together. Events of a failed transaction have no effect.
 */
function readEvents(message: Json, transactions: readonly Json[]): Map<string, ChainEvent[]> {
  const groups = new Map<string, Group>();
  for (const { txid, status } of transactions) {
    if (status === 'success') groups.set(normalId(txid), { indexes: [], events: [] });
  }
  for (const item of items(message.events, 'events')) {
    const event = object(item, 'event');
    if (event.committed === false) continue;
    const group = groups.get(normalId(event.txid));
    if (!group) continue;
    reading(event.txid, () => {
      group.indexes.push(integer(event, 'event_index'));
      group.events.push(readEvent(event));
    });
  }
  return new Map([...groups].map(([id, group]) => [id, inOrder(group)]));
}

function inOrder({ indexes, events }: Group): ChainEvent[] {
  if (indexes.every((index, i) => i === 0 || indexes[i - 1]! <= index)) return events;
  const places = indexes.map((index, place) => ({ index, place })).sort((a, b) => a.index - b.index);
  return places.map(({ place }) => events[place]!);
}

function decode(raw: Buffer): Transaction {
  try {
    return decodeAccepted(raw);
  } catch (error) {
    if (!(error instanceof CodecError)) throw error;
    throw new UnknownFormatError(error.message, { cause: error });
  }
}

function readReceipt(json: Json, events: ChainEvent[], burnHeight: number): Receipt {
  const raw = bytes(json.raw_tx, 'raw_tx');
  const status = text(json, 'status');
  const burnchain = raw.length === 1 && raw[0] === 0;
  const receipt: Receipt = {
    txId: bytes(json.txid, 'txid', 32),
    index: integer(json, 'tx_index'),
    status,
    result: bytes(json.raw_result, 'raw_result'),
    raw,
    cost: readCost(json.execution_cost),
    events,
    boot: false,
  };
  if (burnchain) {
    const operation: BurnOperation | undefined = readBurnOperation(json, events, burnHeight);
    if (operation) receipt.burnOperation = operation;
  } else {
    // A burn operation has the id of its Bitcoin transaction, whose bytes are not included.
    if (!Buffer.from(transactionId(raw).buffer).equals(receipt.txId))
      throw new MessageError('txid is not the hash of raw_tx');
    const transaction = decode(raw);
    receipt.transaction = transaction;
    // Genesis, epoch and phantom transactions carry chain id 0 and move no nonce (events.md: boot receipts).
    receipt.boot = transaction.chainId === 0;
  }
  const abi = json.contract_interface ?? json.contract_abi;
  if (abi !== null && abi !== undefined) receipt.abi = JSON.stringify(abi);
  const vmError = optionalText(json, 'vm_error');
  if (vmError !== undefined) receipt.vmError = vmError;
  if (Number.isSafeInteger(json.problematic_skipped)) receipt.problematicSkipped = Number(json.problematic_skipped);
  if (typeof json.microblock_hash === 'string' && json.microblock_hash !== '') {
    receipt.microblock = {
      hash: bytes(json.microblock_hash, 'microblock_hash', 32),
      sequence: integer(json, 'microblock_sequence'),
      parentHash: bytes(json.microblock_parent_hash, 'microblock_parent_hash', 32),
    };
  }
  return receipt;
}

/** The five dimensions of a cost object; absent ones are 0. */
export function readCost(value: unknown): Cost {
  const json = value === null || value === undefined ? {} : object(value, 'cost');
  return {
    runtime: BigInt(optionalInteger(json, 'runtime') ?? 0),
    readCount: optionalInteger(json, 'read_count') ?? 0,
    readLength: optionalInteger(json, 'read_length') ?? 0,
    writeCount: optionalInteger(json, 'write_count') ?? 0,
    writeLength: optionalInteger(json, 'write_length') ?? 0,
  };
}
