import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { OpenApi, Operation } from '../../../src/api/docs/openapi.ts';

/** An operation of the document, with its place there. */
export type DocumentedOperation = { method: string; path: string; operation: Operation };

/** A response as a client received it. */
export type Received = { status: number; type: string; body: string };

export function operationsOf(document: OpenApi): DocumentedOperation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
}

/** Compares responses with what the document declares for their status and content type. */
export class DocumentCheck {
  readonly #ajv: Ajv2020;
  readonly #compiled = new Map<string, ValidateFunction>();

  constructor(document: OpenApi) {
    // The document has words for people, which are no keywords of JSON Schema.
    this.#ajv = new Ajv2020({ strict: false, validateFormats: false, validateSchema: false, inlineRefs: false });
    this.#ajv.addSchema(document, 'document');
  }

  /** The first difference; undefined if the response is as declared. */
  problemOf({ method, path, operation }: DocumentedOperation, { status, type, body }: Received): string | undefined {
    const declared = [String(status), `${String(status)[0]}XX`].find(key => operation.responses[key] !== undefined);
    if (declared === undefined) return `the status ${status} is not declared`;
    const { content } = operation.responses[declared]!;
    if (content === undefined) return body === '' ? undefined : `the status ${status} is declared without a body`;
    const media = type.split(';', 1)[0]!.trim();
    if (!(media in content)) return `the content type '${type}' of status ${status} is not declared`;
    if (body === '') return `the body of status ${status} is empty`;
    if (media !== 'application/json') return undefined;
    let value: unknown;
    try {
      value = JSON.parse(body);
    } catch {
      return `the body of status ${status} is not JSON`;
    }
    const pointer = ['paths', path, method.toLowerCase(), 'responses', declared, 'content', media, 'schema'];
    const validate = this.#validatorAt(pointer);
    if (validate(value)) return undefined;
    return (validate.errors ?? [])
      .slice(0, 3)
      .map(each => `${each.instancePath} ${each.message}`)
      .join('; ');
  }

  #validatorAt(pointer: readonly string[]): ValidateFunction {
    const reference = `document#/${pointer.map(part => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`;
    const known = this.#compiled.get(reference) ?? this.#ajv.compile({ $ref: reference });
    this.#compiled.set(reference, known);
    return known;
  }
}
