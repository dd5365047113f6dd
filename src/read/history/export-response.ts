import { Readable } from 'node:stream';
import { toHex } from '@cairn-stacks/codec/hex';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { ErrorBody } from '../../http/error-body.ts';
import { asOfAtBlock } from '../pages/at-block-params.ts';
import { noBlockAsOf } from '../pages/page-errors.ts';
import { type ExportFormat, formatOf, mediaTypes } from './export-params.ts';
import { type ExportEnd, findExportEnd } from './export-queries.ts';
import { type ExportList, streamExport } from './export-view.ts';

const lines = { schema: Type.Unsafe<Readable>({ type: 'string' }) };

/** The responses of every export. */
export const exportResponse = {
  200: {
    description: 'A table with a header line, or one JSON object on each line.',
    content: { 'text/csv': lines, 'application/x-ndjson': lines },
  },
  400: ErrorBody,
  404: ErrorBody,
};

export const exportConfig = { freshness: 'none', cost: 10 } as const;

/** Said by every export. */
export const aboutResuming =
  'To go on after an interruption, pass the `cursor` of the last complete line as `after` and the hash of the block as `at_block`. The ' +
  'transfer is cut off if the chain loses the block meanwhile, and the status is 404 from then on. Amounts are in the smallest unit.';

/** Said by every export in the order of the chain. */
export const aboutExports =
  'Lines come oldest first, up to the block that `x-cairn-export-height` and `x-cairn-export-block` (its index block hash) name: ' +
  `\`at_block\`, or the tip when the request arrives. ${aboutResuming}`;

type ExportRequest = Pick<FastifyRequest, 'sql' | 'headers'> & { query: { format?: ExportFormat; at_block?: string } };

/**
 * Responds with the lines of a list after a place, as a file with a name; the block up to which it reads is found first, so that an
 * unknown one is a 404.
 */
export async function sendExport<Row, Place>(
  { sql, query, headers }: ExportRequest,
  reply: FastifyReply,
  { name, after }: { name: string; after: Place },
  listUpTo: (end: ExportEnd) => ExportList<Row, Place>,
): Promise<Readable> {
  const asOf = asOfAtBlock(query.at_block);
  const format = formatOf(query, headers.accept);
  const end = await findExportEnd(sql, asOf);
  if (!end) throw noBlockAsOf(asOf);
  reply.type(`${mediaTypes[format]}; charset=utf-8`);
  reply.header('vary', 'accept');
  reply.header('x-cairn-export-height', end.height);
  reply.header('x-cairn-export-block', toHex(end.index_hash));
  reply.header('content-disposition', `attachment; filename="${name}.${format}"`);
  return Readable.from(streamExport(sql, listUpTo(end), { end, after, format }), { highWaterMark: 1 });
}
