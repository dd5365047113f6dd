import { createHash } from 'node:crypto';
import { fromHex } from '@cairn-stacks/codec/hex';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { badRequest } from '../../errors.ts';
import type { ChainPoint } from './walk-queries.ts';

const walkPattern = '^([0-9]{1,10}\\.[0-9a-f]{64}\\.[0-9a-f]{16}(\\.-?[0-9]{1,16}){1,4})?$';

/** The parameter that walks a list from page to page. */
export const walkQuery = {
  cursor: Type.Optional(
    Type.String({
      pattern: walkPattern,
      description:
        'Walks the list: empty for the first page, then `next_cursor` or `prev_cursor` of the page before. The pages join without gap or ' +
        'repeat while blocks arrive. The status is 409 if a fork takes the block with which the walk began.',
    }),
  ),
};

const Cursor = (description: string) =>
  Type.Optional(Type.Union([Type.String(), Type.Null()], { description: `${description} Only with \`cursor\`.` }));

/** What a page has in a walk. */
export const walkCursors = {
  next_cursor: Cursor('The `cursor` of the following page; null on the last one.'),
  prev_cursor: Cursor('The `cursor` of the page before; null on the first one.'),
};

/** The error of a walk whose chain is gone. */
export const ForkBody = Type.Object(
  {
    statusCode: Type.Integer({ description: 'The HTTP status code.' }),
    error: Type.String({ description: 'The name of the HTTP status.' }),
    message: Type.String({ description: 'What to do.' }),
    resume_height: Type.Integer({
      description: 'Results of blocks up to this height are as they were; later ones are void.',
    }),
  },
  { title: 'ForkError' },
);

/** Parameters that change what is shown of each row, not which rows there are. */
const ofShape = new Set([
  'limit',
  'offset',
  'cursor',
  'fields',
  'decode',
  'names',
  'metadata',
  'exclude_function_args',
]);

/** The list of a request: its path and what selects its rows. A cursor is of one list. */
export function listOf({
  routeOptions,
  params,
  query,
}: Pick<FastifyRequest, 'routeOptions' | 'params' | 'query'>): string {
  const selecting = Object.entries(query as object)
    .filter(([name, value]) => !ofShape.has(name) && value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([routeOptions.url, params, selecting]);
}

/** A place in a list, and the chain that the walk to it began on. */
type WalkPlace = { pin: ChainPoint; at: readonly number[] };

export function walkCursor(list: string, { pin, at }: WalkPlace): string {
  const parts = [pin.height, pin.indexHash.toString('hex'), at.join('.')] as const;
  return `${parts[0]}.${parts[1]}.${digestOf(list, parts)}.${parts[2]}`;
}

/** The place that a cursor names; undefined for the beginning, 400 for the cursor of another list and one that was made up. */
export function readWalkCursor(list: string, text: string): WalkPlace | undefined {
  if (text === '') return undefined;
  const [height = '', hash = '', digest, ...at] = text.split('.');
  if (digest !== digestOf(list, [Number(height), hash, at.join('.')])) {
    throw badRequest('querystring/cursor is not a cursor of this list with these filters: begin with an empty one');
  }
  return { pin: { height: Number(height), indexHash: Buffer.from(fromHex(hash)) }, at: at.map(Number) };
}

const digestOf = (list: string, parts: readonly (string | number)[]) =>
  createHash('sha256')
    .update([list, ...parts].join(' '))
    .digest('hex')
    .slice(0, 16);
