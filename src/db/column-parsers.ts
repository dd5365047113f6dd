import type pg from 'pg';

type Parse = (text: string) => unknown;

const text: Parse = value => value;
const date: Parse = value => new Date(value);
const json: Parse = value => JSON.parse(value);

/** Parsers of columns by type number in `pg_type`; an unlisted type stays text. */
const scalars: ReadonlyMap<number, Parse> = new Map<number, Parse>([
  [16, value => value === 't'], // bool
  [17, value => Buffer.from(value.slice(2), 'hex')], // bytea
  [20, BigInt], // int8
  [21, Number], // int2
  [23, Number], // int4
  [26, Number], // oid
  [700, Number], // float4
  [701, Number], // float8
  [114, json],
  [3802, json], // jsonb
  [1082, date],
  [1114, date], // timestamp
  [1184, date], // timestamptz
]);

/** Array types, and the types of their elements. */
const arrays: ReadonlyMap<number, number> = new Map([
  [1000, 16],
  [1001, 17],
  [1016, 20],
  [1005, 21],
  [1007, 23],
  [1028, 26],
  [1021, 700],
  [1022, 701],
  [199, 114],
  [3807, 3802],
  [1182, 1082],
  [1115, 1114],
  [1185, 1184],
  [1009, 25], // text
  [1015, 1043], // varchar
  [1231, 1700], // numeric
  [2951, 2950], // uuid
  [1003, 19], // name
]);

const parsers = new Map<number, Parse>(scalars);
for (const [array, element] of arrays) {
  const parse = scalars.get(element) ?? text;
  parsers.set(array, value => parseArray(value, parse));
}

/** The type parsers of a client: int8 arrives as bigint, numeric as string, bytea as Buffer. */
export const columnTypes: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number) => parsers.get(oid) ?? text) as pg.CustomTypesConfig['getTypeParser'],
};

/** Parses an array in text form: `{1,null,"a \"b\""}`, of any depth. */
function parseArray(source: string, parse: Parse): unknown[] {
  let at = source.indexOf('{');
  const list = (): unknown[] => {
    const items: unknown[] = [];
    at++;
    while (at < source.length) {
      const character = source[at]!;
      if (character === '}') {
        at++;
        return items;
      }
      if (character === ',') at++;
      else if (character === '{') items.push(list());
      else if (character === '"') items.push(parse(quoted()));
      else items.push(plain());
    }
    throw new Error('an array of the server has no end');
  };
  const quoted = (): string => {
    let value = '';
    for (at++; source[at] !== '"'; at++) {
      if (at >= source.length) throw new Error('an array of the server has no end');
      if (source[at] === '\\') at++;
      value += source[at];
    }
    at++;
    return value;
  };
  const plain = (): unknown => {
    const start = at;
    while (at < source.length && source[at] !== ',' && source[at] !== '}') at++;
    const value = source.slice(start, at);
    return value === 'NULL' ? null : parse(value);
  };
  return list();
}
