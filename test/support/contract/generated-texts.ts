import fc from 'fast-check';

/** What a schema of the document says about a value that is sent as text. */
export type TextSchema = {
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: TextSchema[];
  items?: TextSchema;
  pattern?: string;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  minimum?: number;
  maximum?: number;
};

/** Texts that nobody means. */
const junk = [
  ...['', ' ', 'abc', '-', '.', '..', '/', '\\', '%', '%00', '\u0000', 'a\u0000b', '\u{1F600}', '\ufffd', '\r\nx: y'],
  ...['0', '-0', '-1', '1.5', '1e3', '1e999', 'NaN', 'Infinity', '0x', '0x0', '0xab', '+1', '01', '1_000', '١'],
  ...['2147483647', '2147483648', '4294967296', '9007199254740991', '9007199254740993', '9223372036854775808'],
  ...['340282366920938463463374607431768211456', '9'.repeat(400), 'a'.repeat(3000)],
  ...['true', 'TRUE', 'null', 'undefined', '[]', '[1]', '{}', '{"a":1}', '__proto__', 'constructor'],
  ...["' or 1=1 --", "'; drop table blocks; --", '<script>alert(1)</script>', '../../etc/passwd'],
  ...['00'.repeat(32), `0x${'00'.repeat(32)}`, `0x${'ff'.repeat(32)}`, 'zz'.repeat(32), `0X${'ab'.repeat(32)}`],
  ...[',', 'a,b', ',,', '1,2,3', ':', '::', '1:2', '0:0:0', '0:0:0:0', '99999999999:1:1', '1:0x00'],
  ...['ST000000000000000000002AMW42H', 'ST000000000000000000002AMW42H.pox-4', 'ST1.x', 'SP000000000000000000002Q6VF78'],
  ...['sT000000000000000000002amw42h', 'latest', 'current', '*', 'alice.btc', 'btc'],
];

export const junkText = fc.constantFrom(...junk);

/** Texts that a schema allows, known ones first. */
export function goodTexts(schema: TextSchema, known: readonly string[]): fc.Arbitrary<string> {
  const ofSchema = textsOf(schema);
  return known.length > 0 ? fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...known) }, ofSchema) : ofSchema;
}

function textsOf(schema: TextSchema): fc.Arbitrary<string> {
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(textsOf));
  if (schema.enum) return fc.constantFrom(...schema.enum.map(String));
  if (schema.const !== undefined) return fc.constant(String(schema.const));
  switch (schema.type) {
    case 'boolean':
      return fc.constantFrom('true', 'false');
    case 'integer':
    case 'number':
      return integers(schema);
    case 'array':
      return fc
        .array(textsOf(schema.items ?? {}), {
          minLength: schema.minItems ?? 1,
          maxLength: Math.min(schema.maxItems ?? 4, 4),
        })
        .map(list => list.join(','));
  }
  if (schema.pattern !== undefined) return fc.stringMatching(new RegExp(schema.pattern));
  return fc.string({ unit: 'binary', maxLength: Math.min(schema.maxLength ?? 40, 40) });
}

const integers = ({ minimum: min = -10, maximum = 2 ** 31 - 1 }: TextSchema): fc.Arbitrary<string> =>
  fc.oneof(fc.integer({ min, max: Math.min(maximum, min + 40) }), fc.constantFrom(min, maximum)).map(String);

/** Texts on the limits that a schema sets, and just beyond them. */
export function limitTexts(schema: TextSchema): fc.Arbitrary<string> {
  const { minimum, maximum, maxLength, maxItems, items = {} } = schema;
  const limits: string[] = [];
  if (minimum !== undefined) limits.push(String(minimum), String(minimum - 1));
  if (maximum !== undefined) limits.push(String(maximum), String(BigInt(maximum) + 1n));
  if (maxLength !== undefined) limits.push('a'.repeat(maxLength), 'a'.repeat(maxLength + 1), '1'.repeat(maxLength));
  const lists = schema.type === 'array' ? listsAt(maxItems ?? 50, textsOf(items)) : [];
  const inner = schema.anyOf?.map(limitTexts) ?? [];
  const known = limits.length > 0 ? [fc.constantFrom(...limits)] : [];
  return fc.oneof(...known, ...lists, ...inner, fc.constantFrom('', '0', '-1'));
}

const listsAt = (length: number, item: fc.Arbitrary<string>): fc.Arbitrary<string>[] =>
  [length, length + 1].map(count => item.map(text => Array(count).fill(text).join(',')));
