import { hash } from 'node:crypto';
import type { Parameter } from './parameter.ts';

/** A short name of a statement that stays the same between processes: its verb, its first table and a part of its hash. */
export function statementName(text: string): string {
  const verb = /[a-z]+/i.exec(text)?.[0].toLowerCase() ?? 'statement';
  const table = /\b(?:from|into|update|table)\s+(?!lateral\b|unnest\b|select\b)"?([a-z_]\w*)/i.exec(text)?.[1];
  return `${verb}${table === undefined ? '' : ` ${table}`} ${hash('sha256', text).slice(0, 8)}`;
}

/** The shapes of parameters, such as `text(12)`, without their values. */
export const parameterShapes = (parameters: readonly Parameter[]): string[] => parameters.map(shapeOf);

function shapeOf(value: Parameter): string {
  if (value === null) return 'null';
  if (typeof value !== 'string') return `bytes(${value.length})`;
  if (/^-?\d+(\.\d+)?$/.test(value)) return 'number';
  if (value.startsWith('{') && value.endsWith('}')) return `array(${value.length} characters)`;
  return `text(${value.length})`;
}
