import fc from 'fast-check';
import type { OpenApi, Operation } from '../../../src/api/docs/openapi.ts';
import type { KnownValues } from './devnet-values.ts';
import { type DocumentedOperation, operationsOf } from './document-check.ts';
import { jsonBodies } from './generated-bodies.ts';
import { goodTexts, junkText, limitTexts, type TextSchema } from './generated-texts.ts';
import { onThisChain, valuesOf } from './plain-requests.ts';

/** A request that is made up from the document, and the operation that it is for; none where no operation has its method. */
export type GeneratedRequest = {
  operation: DocumentedOperation | undefined;
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: string | Buffer;
};

type Parameter = NonNullable<Operation['parameters']>[number];

/** Encoded, as it stands in a URL. */
type Sent = { name: string; encoded: string };

const brokenEscapes = fc.constantFrom('%zz', '%', '%ff%fe', '%80', '%c0%af', '%00');

const encoded = (text: string): string => encodeURIComponent(text);

/** Values of a parameter: good ones most of the time, those on its limits, and those that are wrong. */
function encodedValues(path: string, parameter: Parameter, known: KnownValues): fc.Arbitrary<string> {
  const schema = parameter.schema as TextSchema;
  const good = goodTexts(schema, valuesOf(path, parameter, known));
  const wrong = fc.oneof({ weight: 9, arbitrary: junkText.map(encoded) }, { weight: 1, arbitrary: brokenEscapes });
  return fc.oneof(
    { weight: 12, arbitrary: good.map(encoded) },
    { weight: 3, arbitrary: limitTexts(schema).map(encoded) },
    { weight: 2, arbitrary: wrong },
  );
}

const headers: fc.Arbitrary<Record<string, string>> = fc.oneof(
  { weight: 8, arbitrary: fc.constant({}) },
  {
    weight: 2,
    arbitrary: fc.constantFrom<Record<string, string>>(
      { 'x-api-version': '9' },
      { 'x-api-version': '9.3' },
      { 'x-api-version': 'nothing' },
      { accept: 'text/html' },
      { accept: 'application/xml;q=0.1' },
      { 'accept-encoding': 'gzip, br;q=0' },
      { 'if-none-match': '"abc"' },
      { 'if-none-match': '*' },
      { range: 'bytes=5-1' },
      { origin: 'null' },
      { 'x-forwarded-for': '1.2.3.4, nonsense' },
      { authorization: 'Bearer nobody' },
      { 'x-api-key': 'nobody' },
      { 'x-http-method-override': 'DELETE' },
      { cookie: 'a=b; '.repeat(200) },
    ),
  },
);

const otherTypes = [
  'text/plain',
  'application/xml',
  'multipart/form-data; boundary=x',
  'application/json; charset=x',
  '',
];

/** A body of the type that an operation takes, now and then one of another type. */
function bodies(document: OpenApi, { path, operation }: DocumentedOperation, known: KnownValues) {
  const [type, content] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  if (type === undefined || content === undefined) return fc.constant({});
  const example =
    content.example === undefined ? undefined : JSON.parse(onThisChain(JSON.stringify(content.example), known));
  const own = type === 'application/json' ? jsonBodies(document, content.schema, example) : bytes;
  const otherType = fc.constantFrom(...otherTypes);
  return fc
    .tuple(own, fc.oneof({ weight: 12, arbitrary: fc.constant(type) }, { weight: 1, arbitrary: otherType }))
    .map(([body, sentType]) => ({ body, headers: sentType === '' ? {} : { 'content-type': sentType }, path }));
}

const bytes: fc.Arbitrary<Buffer> = fc.oneof(
  fc.uint8Array({ maxLength: 300 }).map(array => Buffer.from(array)),
  fc.constantFrom('', '00', '80800000000400', 'null', '{}', '"00"').map(text => Buffer.from(text)),
  fc.uint8Array({ minLength: 1, maxLength: 300 }).map(array => Buffer.from([0x80, 0x80, 0, 0, 0, 4, 0, ...array])),
);

/** Requests for one operation. */
function requestsFor(
  document: OpenApi,
  documented: DocumentedOperation,
  known: KnownValues,
): fc.Arbitrary<GeneratedRequest> {
  const { path, method, operation } = documented;
  const inQuery: fc.Arbitrary<Sent[]>[] = [];
  const inPath: fc.Arbitrary<Sent>[] = [];
  for (const parameter of operation.parameters ?? []) {
    const { name, required } = parameter;
    const sent = encodedValues(path, parameter, known).map(value => ({ name, encoded: value }));
    // Without its text, a path is one of another operation.
    if (parameter.in === 'path') inPath.push(sent.filter(({ encoded: text }) => text !== ''));
    else if (parameter.in === 'query') inQuery.push(times(sent, required === true));
  }
  return fc
    .record({
      pathValues: fc.tuple(...inPath),
      query: fc.tuple(...inQuery),
      sentHeaders: headers,
      content: bodies(document, documented, known) as fc.Arbitrary<{
        body?: string | Buffer;
        headers?: Record<string, string>;
      }>,
    })
    .map(({ pathValues, query, sentHeaders, content }) => {
      const place = pathValues.reduce((url, { name, encoded: text }) => url.replace(`{${name}}`, () => text), path);
      const search = query.flat().map(({ name, encoded: text }) => `${encoded(name)}=${text}`);
      return {
        operation: documented,
        method,
        url: search.length > 0 ? `${place}?${search.join('&')}` : place,
        headers: { ...sentHeaders, ...content.headers },
        ...(content.body !== undefined && { body: content.body }),
      };
    });
}

/** How often a parameter is sent. */
const times = (sent: fc.Arbitrary<Sent>, required: boolean): fc.Arbitrary<Sent[]> =>
  fc.oneof(
    { weight: required ? 18 : 6, arbitrary: sent.map(one => [one]) },
    { weight: required ? 1 : 12, arbitrary: fc.constant<Sent[]>([]) },
    { weight: 1, arbitrary: fc.tuple(sent, sent) },
  );

const allMethods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** Requests for all operations of the document, and a few with a method that no operation has. */
export function generatedRequests(document: OpenApi, known: KnownValues): fc.Arbitrary<GeneratedRequest> {
  return fc.constantFrom(...operationsOf(document)).chain(documented => {
    const own = requestsFor(document, documented, known);
    const declared = Object.keys(document.paths[documented.path]!).map(method => method.toUpperCase());
    const others = allMethods.filter(method => !declared.includes(method));
    const misused = fc
      .tuple(own, fc.constantFrom(...others))
      .map(([request, method]) => ({ ...request, method, operation: undefined }));
    return fc.oneof({ weight: 24, arbitrary: own }, { weight: 1, arbitrary: misused });
  });
}
