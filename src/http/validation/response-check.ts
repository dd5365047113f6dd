import type { FastifySchema, FastifySerializerCompiler } from 'fastify';
import type { TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import { jsonOf } from '../../cache/rendered-items.ts';

/** A serializer that throws where a response differs from its declared schema, undeclared keys included. */
export const checkResponses: FastifySerializerCompiler<FastifySchema> = ({ schema, method, url, httpStatus }) => {
  return value => {
    const text = jsonOf(value);
    const sent: unknown = JSON.parse(text);
    const validator = validatorOf(schema as TSchema);
    if (!validator.Check(sent)) {
      const [first] = validator.Errors(sent);
      throw new Error(`${method} ${url} ${httpStatus}: ${first?.instancePath} ${first?.message} in ${text}`);
    }
    return text;
  };
};

/** Compiling costs far more than checking: only what is sent is compiled, and once for all servers of a process. */
const validators = new WeakMap<TSchema, Validator>();

function validatorOf(schema: TSchema): Validator {
  const known = validators.get(schema) ?? Compile(closeObjects(schema) as TSchema);
  validators.set(schema, known);
  return known;
}

/** The schema with every object closed that does not say itself which other keys it may have. */
function closeObjects(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closeObjects);
  if (typeof schema !== 'object' || schema === null) return schema;
  const copy = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closeObjects(value)]));
  return copy.type === 'object' ? { additionalProperties: false, ...copy } : copy;
}
