import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { type ErrorCode, RosettaError } from './errors.ts';

/** Text of the first validation error → error code; the first match applies. */
const MISTAKES: [text: string, code: ErrorCode][] = [
  ['network_identifier', 613],
  ['blockchain', 617],
  ['network', 618],
  ['block_identifier', 615],
  ['transaction_identifier', 616],
  ['operations', 621],
  ['must have required property', 609],
];

/** Validates bodies against a schema; throws the error of the first mistake. */
export function requestCheck(schema: TSchema, compat: boolean): (body: unknown) => void {
  const validator = Compile(schema);
  return body => {
    if (validator.Check(body)) return;
    const [first] = validator.Errors(body).filter(error => error.keyword !== 'boolean');
    const required = first?.keyword === 'required' ? first.params.requiredProperties[0] : undefined;
    const message =
      required === undefined ? (first?.message ?? 'is not valid') : `must have required property '${required}'`;
    const code = MISTAKES.find(([text]) => message.includes(text))?.[1];
    if (code !== undefined) throw new RosettaError(code, message);
    throw new RosettaError(612, compat ? undefined : `${first?.instancePath || 'the body'} ${message}`);
  };
}
