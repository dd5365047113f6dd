import type { IncomingHttpHeaders } from 'node:http';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip } from 'node:zlib';
import { FetchError, invalid } from './fetch-error.ts';

const DECODERS: ReadonlyMap<string, (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>> = new Map(
  [
    ['gzip', promisify(gunzip)],
    ['x-gzip', promisify(gunzip)],
    ['br', promisify(brotliDecompress)],
  ],
);

/** Reads a body of at most `maxBytes` before and after decompression. */
export async function readBody(
  body: AsyncIterable<Buffer>,
  headers: IncomingHttpHeaders,
  maxBytes: number,
): Promise<Buffer> {
  const encoding = (headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  const decode = DECODERS.get(encoding);
  if (!decode && encoding !== 'identity' && encoding !== '') {
    throw invalid('the document has an unknown content encoding');
  }
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk);
  }
  const bytes = Buffer.concat(chunks, size);
  if (!decode) return bytes;
  try {
    return await decode(bytes, { maxOutputLength: maxBytes });
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(maxBytes);
    throw invalid('the document cannot be decompressed');
  }
}

export const tooLarge = (maxBytes: number) =>
  new FetchError({ code: 'metadata_too_large', message: `the document has more than ${maxBytes} bytes` });
