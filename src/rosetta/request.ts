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

/** Where a value is wrong → error code; the first match applies. */
const PLACES: [path: string, code: ErrorCode][] = [
  ['/block_identifier/index', 604],
  ['/block_identifier/hash', 606],
  ['/transaction_identifier/hash', 608],
  ['/account_identifier', 601],
  ['/operations', 621],
  ['/max_fee', 622],
];
const codeAt = (path: string): ErrorCode => PLACES.find(([start]) => path.startsWith(start))?.[1] ?? 609;

/** The value of an amount. */
const AMOUNT = /\/(amount|max_fee\/\d+)\/value$/;
const WHOLE_NUMBER = 'must be a whole number of micro-STX without exponent or leading zeros, such as "-5000"';

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
    if (compat) throw code === undefined ? new RosettaError(612) : new RosettaError(code, message);
    const path = first?.instancePath ?? '';
    throw new RosettaError(code ?? codeAt(path), `${path || 'the body'} ${AMOUNT.test(path) ? WHOLE_NUMBER : message}`);
  };
}
