import { isPrincipal, principalToBytes } from '@cairn-stacks/codec/address/principal';
import { fromHex } from '@cairn-stacks/codec/hex';
import { Type } from 'typebox';
import { badRequest } from '../../errors.ts';
import { comparisons, type PrintFilter, type ValueCondition } from './print-filter.ts';

const MAX_CONDITIONS = 5;
const MAX_DEPTH = 8;
const MAX_TEXT = 512;

/** Parameters that select prints by their value; `value.PATH` has no schema, because its name is the client's. */
export const printFilterQuery = {
  topic: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 128,
      description:
        'Only prints of this kind: the text in the field `topic`, `event`, `action` or `notification` of the printed tuple, or the ' +
        'printed text itself.',
    }),
  ),
};

/** Said by every list that takes `value.PATH`. */
export const aboutValues =
  '`value.PATH=TEXT` selects by a field of the printed tuple, as in `value.action=swap` or `value.pair.token-x=SP….token`: integers as ' +
  'decimal text, buffers as hex with `0x`, `none` for none. `value.PATH.gt`, `.gte`, `.lt` and `.lte` compare integers.';

/** The conditions on the value in a query; 400 where one has no meaning. */
export function printFilterOf(query: Readonly<Record<string, unknown>>): PrintFilter {
  const values = Object.entries(query).flatMap(([name, text]) =>
    name === 'value' || name.startsWith('value.') ? [conditionOf(name, text)] : [],
  );
  if (values.length > MAX_CONDITIONS) throw badRequest(`at most ${MAX_CONDITIONS} conditions on value can be given`);
  return { values, ...(typeof query.topic === 'string' && { topic: query.topic }) };
}

const fieldName = /^[a-zA-Z0-9_!?+<>=/*-]{1,128}$/;

function conditionOf(name: string, text: unknown): ValueCondition {
  if (typeof text !== 'string') throw badRequest(`querystring/${name} can be given once`);
  if (text.length > MAX_TEXT) throw badRequest(`querystring/${name} must NOT have more than ${MAX_TEXT} characters`);
  const path = name.split('.').slice(1);
  if (path.length > MAX_DEPTH || !path.every(part => fieldName.test(part))) {
    throw badRequest(`querystring/${name}: after "value" must come names of fields with dots between them`);
  }
  const is = comparisons.find(each => each === path.at(-1));
  if (is === undefined || path.length === 1) return { path, equals: text };
  if (!/^-?\d{1,39}$/.test(text)) throw badRequest(`querystring/${name} must be an integer`);
  return { path: path.slice(0, -1), is, than: BigInt(text) };
}

/**
 * What the bytes of a print contain if it matches, each as alternatives: a text is written as itself, or as the principal, bytes
 * or number that it names. Prints without them need not be decoded.
 */
export function bytesOfMatches({ topic, values }: PrintFilter): Uint8Array[][] {
  const parts = values.flatMap(condition => [
    ...condition.path.map(name => [Buffer.from(name)]),
    ...('equals' in condition ? [writtenAs(condition.equals)] : []),
  ]);
  return [...(topic === undefined ? [] : [[Buffer.from(topic)]]), ...parts].filter(each => each.length > 0);
}

/** Empty where the bytes say nothing, as for a truth value. */
function writtenAs(text: string): Uint8Array[] {
  if (text === '' || text === 'true' || text === 'false' || text === 'none') return [];
  const forms: Uint8Array[] = [Buffer.from(text)];
  if (isPrincipal(text)) forms.push(principalBytes(text));
  if (/^0x([0-9a-f]{2})+$/.test(text)) forms.push(fromHex(text));
  if (/^-?\d{1,39}$/.test(text)) forms.push(integerBytes(BigInt(text)));
  return forms;
}

/** The version and the hash: the name of a contract follows them after its length. */
const principalBytes = (text: string) => principalToBytes(text).subarray(0, 21);

function integerBytes(value: bigint): Uint8Array {
  return Buffer.from(BigInt.asUintN(128, value).toString(16).padStart(32, '0'), 'hex');
}
