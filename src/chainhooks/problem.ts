import type { Static, TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { badRequest } from '../errors.ts';

/** The value if it fits the schema; else 400 with the first thing that is wrong, and where it is. */
export function fitting<S extends TSchema>(schema: S, value: unknown, at = ''): Static<S> {
  if (Value.Check(schema, value)) return value as Static<S>;
  const problems = Value.Errors(schema, value);
  // A field that is not known is told by its name, and not by the schema that no value fits.
  const first = problems.find(({ keyword }) => keyword !== 'boolean') ?? problems[0];
  const path = [at, ...(first?.instancePath ?? '').split('/')].filter(part => part !== '').join('.');
  throw badRequest(`${path === '' ? 'the body' : path} ${wordsOf(first)}`);
}

type Problem = { message?: string; params?: object } | undefined;

function wordsOf(problem: Problem): string {
  const {
    additionalProperties: others,
    requiredProperties: missing,
    allowedValues,
  } = (problem?.params ?? {}) as {
    additionalProperties?: string[];
    requiredProperties?: string[];
    allowedValues?: unknown[];
  };
  if (others) return `has unknown fields: ${others.join(', ')}`;
  if (missing) return `lacks ${missing.join(', ')}`;
  if (allowedValues) return `must be one of ${allowedValues.join(', ')}`;
  return problem?.message ?? 'has the wrong form';
}
