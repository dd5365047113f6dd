import type { Sql } from '../../db/client.ts';
import type { UnknownItem } from '../../node/unknown-items.ts';
import type { FoldLog } from './fold-log.ts';

type Count = UnknownItem & { events: number; first: bigint; last: bigint };
type Row = UnknownItem & { last_event: bigint };

const longestName = 100;

/**
 * Counts items of nodes that this program does not know. Counts are written before the events are folded, and an event that was
 * counted is not counted again when it is folded again after a failure.
 */
export class UnknownItems {
  readonly #sql: Sql;
  readonly #log: FoldLog;
  /** The last event that each was counted for. */
  readonly #counted: Map<string, bigint>;
  #waiting = new Map<string, Count>();

  private constructor(sql: Sql, log: FoldLog, counted: Map<string, bigint>) {
    this.#sql = sql;
    this.#log = log;
    this.#counted = counted;
  }

  static async open(sql: Sql, log: FoldLog): Promise<UnknownItems> {
    const rows = await sql<Row[]>`select u.kind, u.name, u.last_event from unknown_items u`;
    return new UnknownItems(sql, log, new Map(rows.map(row => [keyOf(row), row.last_event])));
  }

  /** Counts the unknown items of one event; the same item twice counts once. */
  note(eventId: bigint, items: readonly UnknownItem[]): void {
    for (const { kind, name: full } of items) {
      // PostgreSQL takes no NUL in text.
      const name = full.slice(0, longestName).replaceAll('\0', '');
      const key = keyOf({ kind, name });
      const last = this.#counted.get(key);
      if (last === undefined)
        this.#log.warn({ event: String(eventId), kind, name }, 'a node sends an item that this program does not know');
      if (last !== undefined && last >= eventId) continue;
      this.#counted.set(key, eventId);
      const count = this.#waiting.get(key) ?? { kind, name, events: 0, first: eventId, last: eventId };
      this.#waiting.set(key, { ...count, events: count.events + 1, last: eventId });
    }
  }

  async save(): Promise<void> {
    if (this.#waiting.size === 0) return;
    const counts = [...this.#waiting.values()];
    this.#waiting = new Map();
    for (const { kind, name, events, first, last } of counts) {
      await this.#sql`
        insert into unknown_items as u (kind, name, events, first_event, last_event)
        values (${kind}, ${name}, ${events}, ${String(first)}::bigint, ${String(last)}::bigint)
        on conflict (kind, name) do update
        set events = u.events + excluded.events, last_event = excluded.last_event
      `;
    }
  }
}

const keyOf = ({ kind, name }: UnknownItem) => `${kind} ${name}`;
