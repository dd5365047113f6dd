import { afterRunningTime } from '../../../db/running-time.ts';
import { Writer } from '../../../db/writer.ts';
import { describeLoss, type LeaseLoss, NoResponse, silenceMs } from './lease-loss.ts';

/** Session lock that only one fold of a database holds; others wait for it as hot standbys. */
const leaseLock = 0x6361_6972;
/** Session lock of the connection that writes, by which the next writer finds it. */
const writerLock = leaseLock + 1;

/** A holder that gets no response for so long has lost the lock or is about to. */
const responseMs = 1_500;
const beatMs = 300;

const keyOf = (lock: number, schema: string | undefined) => [String(lock), schema ?? ''];

/** Marks the connection that writes, so that the next writer can end it. */
export async function markWriter(writer: Writer, schema: string | undefined): Promise<void> {
  await writer.query('select pg_advisory_lock($1, hashtext($2))', keyOf(writerLock, schema));
}

/** A connection that the server ends when its holder falls silent, and with it the lock. */
export class LeaseConnection {
  readonly #connection: Writer;
  readonly #schema: string | undefined;
  #heardAt = performance.now();
  #timer: NodeJS.Timeout | undefined;
  #ended = false;
  #settle: (loss: LeaseLoss | undefined) => void = () => {};
  readonly #over = new Promise<LeaseLoss | undefined>(resolve => {
    this.#settle = resolve;
  });

  private constructor(connection: Writer, schema: string | undefined) {
    this.#connection = connection;
    this.#schema = schema;
    connection.onLost(error => this.#lose(error));
  }

  static async open(url: string, schema: string | undefined): Promise<LeaseConnection> {
    const settings = { idle_session_timeout: String(silenceMs), statement_timeout: '0' };
    return new LeaseConnection(await Writer.open(url, 'cairn fold lease', settings), schema);
  }

  /** Takes the lock if nobody holds it. */
  async tryLock(): Promise<boolean> {
    const [row] = await this.#query<{ got: boolean }>(
      'select pg_try_advisory_lock($1, hashtext($2)) as got',
      keyOf(leaseLock, this.#schema),
    );
    return row?.got ?? false;
  }

  /** Ends the connection of an earlier writer, which may hold rows that it will never give free. */
  async evict(): Promise<void> {
    await this.#query(
      `select pg_terminate_backend(l.pid, ${responseMs - 500})
       from pg_locks l
       where l.locktype = 'advisory' and l.granted
         and l.database = (select d.oid from pg_database d where d.datname = current_database())
         and l.classid = $1::int8::oid and l.objid = (hashtext($2)::int8 & 4294967295)::oid`,
      keyOf(writerLock, this.#schema),
    );
  }

  /** Sends beats; resolves with the loss of the connection, or with undefined at its end. */
  keep(): Promise<LeaseLoss | undefined> {
    if (!this.#ended) this.#beat();
    return this.#over;
  }

  /** Gives the lock free. */
  async end(): Promise<void> {
    this.#ended = true;
    clearTimeout(this.#timer);
    await this.#connection.end();
    this.#settle(undefined);
  }

  #beat(): void {
    this.#timer = setTimeout(() => {
      this.#query('select 1').then(
        () => {
          if (!this.#ended) this.#beat();
        },
        error => this.#lose(error),
      );
    }, beatMs);
  }

  /** Sends a query; a response that takes too long means that the lock is lost. */
  async #query<Row extends object>(text: string, values: string[] = []): Promise<Row[]> {
    let stop = () => {};
    const late = new Promise<never>((_, reject) => {
      stop = afterRunningTime(responseMs, () => reject(new NoResponse(responseMs)));
    });
    try {
      const rows = await Promise.race([this.#connection.query<Row>(text, values), late]);
      this.#heardAt = performance.now();
      return rows;
    } catch (error) {
      this.#lose(error as Error);
      throw error;
    } finally {
      stop();
    }
  }

  #lose(error: Error): void {
    if (this.#ended) return;
    this.#ended = true;
    clearTimeout(this.#timer);
    this.#connection.destroy();
    this.#settle(describeLoss(error, Math.round(performance.now() - this.#heardAt)));
  }
}
