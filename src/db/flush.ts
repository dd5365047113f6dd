import type { Parameter } from './parameter.ts';

/** A part of a batch: a statement with its values, or a `copy … from stdin (format binary)` with its data. */
export type FlushStatement =
  | { kind: 'query'; text: string; values: Parameter[] }
  | { kind: 'copy'; text: string; data: Buffer[] };

/** Statements that commit together, in order; their rows are ignored. */
export class Flush {
  readonly statements: FlushStatement[] = [];

  /** Adds a statement. Values are sent as text. */
  query(text: string, values: (string | number | bigint | null)[] = []): void {
    this.statements.push({ kind: 'query', text, values: values.map(v => (v === null ? null : String(v))) });
  }

  /** Adds a `copy … from stdin (format binary)` with its data, in parts. */
  copy(text: string, data: Buffer[]): void {
    this.statements.push({ kind: 'copy', text, data });
  }

  /** The statements in order, each given up as it is taken: large data need not be kept until the last one. */
  *take(): Generator<FlushStatement, void, void> {
    for (let next = this.statements.shift(); next; next = this.statements.shift()) yield next;
  }

  get size(): number {
    return this.statements.length;
  }
}
