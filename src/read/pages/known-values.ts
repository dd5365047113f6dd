import { Type } from 'typebox';
import { droppedStatus, dropReasons } from '../../chain/mempool/mempool.ts';
import { statusCodes } from '../../chain/transaction.ts';

/** Marks the known values of a text; the document shows them as its `enum`. */
const KNOWN_VALUES = 'x-known-values';

/**
 * A text that nodes choose. The document lists the values that are known, so that generated clients can distinguish them
 * apart; a value that a newer node brings is sent as it is.
 */
export const knownValues = (values: readonly string[], description: string) =>
  Type.String({ description: `${description} Newer nodes may send other values.`, [KNOWN_VALUES]: [...values] });

/** Marks a shape that only a newer node brings. */
export const NEWER = 'x-newer';

/**
 * Options of a shape for values that are newer than this program. Responses may contain it and the document describes it, but
 * no union lists it, so that clients that handle every current shape compile.
 */
export const newer = (title: string) => ({ title, [NEWER]: true });

type JsonObject = { [key: string]: unknown };

/** How a document shows the values of one schema: all of them in one `enum`, with their type. */
export function documentedValues(schema: JsonObject): JsonObject {
  const { [KNOWN_VALUES]: known, [NEWER]: _newer, ...rest } = schema;
  if (known !== undefined) return { ...rest, enum: known };
  if (Array.isArray(rest.enum) && rest.type === undefined && rest.enum.every(value => typeof value === 'string'))
    return { type: 'string', ...rest };
  const choice = rest.anyOf;
  if (!Array.isArray(choice) || !choice.every(isTextEnum)) return rest;
  const { anyOf: _, ...others } = rest;
  return { type: 'string', enum: choice.flatMap(each => each.enum), ...others };
}

const isTextEnum = (schema: JsonObject): schema is { type: 'string'; enum: string[] } =>
  schema.type === 'string' && Array.isArray(schema.enum) && Object.keys(schema).length === 2;

export const MinedStatus = knownValues(Object.keys(statusCodes), 'Outcome of the transaction.');

/** The state of a transaction in one word; present on request. */
export const TransactionState = Type.Optional(
  Type.Enum(['pending', 'success', 'failed'], {
    description: 'State of the transaction. Present only with `include_state`, and absent for dropped transactions.',
  }),
);

export const PendingStatus = knownValues(
  ['pending', ...Object.values(dropReasons).map(droppedStatus)],
  '`pending`, or the reason why the transaction was dropped.',
);
