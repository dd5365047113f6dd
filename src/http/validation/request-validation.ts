import AjvCompiler from '@fastify/ajv-compiler';
import type { FastifySchemaCompiler } from 'fastify';

type Validator = ReturnType<FastifySchemaCompiler<unknown>>;

/** Compiles the schema of a request at its first use: to compile those of all routes would double the time of a start. */
export function validateLazily(keywords: string[]): FastifySchemaCompiler<unknown> {
  // Its type is that of a bare schema; Fastify gives it the route as well.
  const compile = AjvCompiler()({}, { customOptions: { keywords } }) as unknown as FastifySchemaCompiler<unknown>;
  return part => {
    let compiled: Validator | undefined;
    const validate: Validator = data => {
      compiled ??= compile(part);
      const result = compiled(data);
      validate.errors = compiled.errors ?? null;
      return result;
    };
    return validate;
  };
}
