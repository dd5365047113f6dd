/** An output that a source is asked about; this worker holds it until its lease ends. */
export type OutputJob = {
  kind: number;
  tx_id: Buffer;
  vout: number;
  sweep_tx_id: Buffer;
  sweep_burn_hash: Buffer;
  burn_height: number;
  amount: string;
  recipient: Buffer | null;
  /** Tries that were started, this one included. */
  attempts: number;
};

/** Columns of `bitcoin_outputs` that a source fills; one that it does not know is null. */
export type OutputFacts = Partial<{
  mined_height: number | null;
  lock_blocks: number | null;
  sweep_state: number | null;
  swept: boolean | null;
  sweep_tx_id: Uint8Array;
  sweep_burn_hash: Uint8Array;
  amount: bigint | null;
  told_amount: bigint | null;
  max_fee: bigint | null;
  script: Uint8Array | null;
}>;

/** What a source says of an output: facts, if it has any, and the seconds after which it is asked again, if it is. */
export type Answer = { facts?: OutputFacts; againSeconds?: number };

/** Someone outside who knows about Bitcoin. Throws a `SourceError` for an answer that cannot be used. */
export type BitcoinSource = {
  /** The number of the source in the tables. */
  readonly number: number;
  readonly name: string;
  ask(job: OutputJob): Promise<Answer>;
  close(): Promise<void>;
};

/** Numbers of sources in the tables. Never renumber. */
export const sourceNumbers = { emily: 1, node: 2 } as const;

/** Milliseconds in which an answer must be complete. */
export const ANSWER_MS = 20_000;

/** A source does not answer, or says what cannot be. */
export class SourceError extends Error {
  override name = 'SourceError';
}

/** A whole number of JSON within bounds; undefined for anything else. */
export function wholeNumber(value: unknown, min: number, max: number): number | undefined {
  return Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max
    ? (value as number)
    : undefined;
}

/** The fields of a JSON object. */
export function objectOf(value: unknown, what: string): Record<string, unknown> {
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    throw new SourceError(`${what} is no object`);
  return value as Record<string, unknown>;
}

/** Satoshis of all bitcoin that there will be. */
export const MAX_SATS = 2_100_000_000_000_000;

/** The JSON of a body that was read within its bound. */
export function readJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    throw new SourceError('the answer is not JSON');
  }
}
