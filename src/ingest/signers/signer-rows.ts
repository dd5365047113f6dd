import { createHash } from 'node:crypto';
import type { ProposalRecord, ResponseRecord, SignerRecords } from '../../chain/signer-record.ts';
import type { Row } from '../../db/table.ts';
import type { SignerRowSets } from './signer-statements.ts';

/** Rows of a transaction, one for each key: of equal messages the one that arrived first. */
export class SignerRows {
  readonly #proposals = new Map<string, Row>();
  readonly #responses = new Map<string, Row>();
  readonly #pushes = new Map<string, Row>();
  readonly #texts = new Map<bigint, string>();

  get size(): number {
    return this.#proposals.size + this.#responses.size + this.#pushes.size;
  }

  get sets(): SignerRowSets {
    return {
      proposals: [...this.#proposals.values()],
      responses: [...this.#responses.values()],
      pushes: [...this.#pushes.values()],
      texts: [...this.#texts],
    };
  }

  /** Adds the records of an event that arrived at a time in Unix milliseconds. */
  add({ proposals, responses, pushes }: SignerRecords, at: number): void {
    for (const proposal of proposals) {
      putFirst(this.#proposals, keyOf(proposal.hash), proposalRow(proposal, proposal.received ?? at), proposalOrder);
    }
    for (const response of responses) {
      const row = this.#responseRow(response, response.received ?? at);
      const key = `${keyOf(response.hash)} ${response.parity} ${response.slot}`;
      putFirst(this.#responses, key, row, responseOrder);
    }
    for (const { hash, received = at } of pushes) putFirst(this.#pushes, keyOf(hash), [received, hash], [0]);
  }

  #responseRow(response: ResponseRecord, received: number): Row {
    const { slot, parity, code, detail, validation, accepted, hash } = response;
    const signature = Buffer.from(response.signature).readBigInt64BE();
    const version = this.#textId(response.version);
    const reason = this.#textId(response.reason);
    return [received, signature, version, reason, slot, parity, code, detail, validation, accepted, hash];
  }

  /** The id follows from the text, so that it does not depend on what came before. */
  #textId(text: string): bigint {
    if (text === '') return 0n;
    const id = createHash('sha256').update(text).digest().readBigInt64BE();
    this.#texts.set(id, text);
    return id;
  }
}

const proposalRow = ({ hash, indexHash, height, burnHeight, cycle, time }: ProposalRecord, received: number): Row => [
  received,
  time,
  cycle,
  height,
  burnHeight,
  hash,
  indexHash,
];

/** Columns that say which of two rows of a key came first, or counts where both came at once. */
const proposalOrder = [0, 2, 4];
const responseOrder = [0, 9, 1, 6, 7, 8, 2, 3];

const keyOf = (hash: Uint8Array) => Buffer.from(hash).toString('latin1');

function putFirst(rows: Map<string, Row>, key: string, row: Row, order: readonly number[]): void {
  const known = rows.get(key);
  if (!known || isBefore(row, known, order)) rows.set(key, row);
}

/** The columns compared are numbers and booleans. */
function isBefore(a: Row, b: Row, order: readonly number[]): boolean {
  for (const column of order) {
    const [x, y] = [a[column]!, b[column]!];
    if (x !== y) return x < y;
  }
  return false;
}
