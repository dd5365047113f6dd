import type { FastifySchema, FastifySerializerCompiler } from 'fastify';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { Value } from 'typebox/value';
import { jsonOf } from '../../cache/rendered-items.ts';

/** A serializer that throws where a response differs from its declared schema, undeclared keys included. */
export const checkResponses: FastifySerializerCompiler<FastifySchema> = ({ schema, method, url, httpStatus }) => {
  const declared = schema as TSchema;
  const validator = Compile(declared);
  return value => {
    const text = jsonOf(value);
    const sent: unknown = JSON.parse(text);
    if (!validator.Check(sent)) {
      const [first] = validator.Errors(sent);
      throw new Error(`${method} ${url} ${httpStatus}: ${first?.instancePath} ${first?.message}`);
    }
    const cleaned = JSON.stringify(Value.Clean(declared, JSON.parse(text)));
    if (cleaned !== text)
      throw new Error(`${method} ${url} ${httpStatus} has undeclared keys: ${text} is not ${cleaned}`);
    return text;
  };
};
