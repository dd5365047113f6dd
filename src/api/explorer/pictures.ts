import { isPrincipal, principalToBytes } from '@cairn-stacks/codec/address/principal';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { notFound, PublicError } from '../../errors.ts';
import { TokenContractParam, TokenNumberParam } from '../../read/metadata/metadata-params.ts';
import { maxTokenNumber } from '../../read/metadata/token-view.ts';
import { findToken } from '../../read/metadata/tokens-queries.ts';

/** Reads the picture at a URI, or says why it cannot be had. */
export type ReadPicture = (
  uri: string,
  signal: AbortSignal,
) => Promise<{ type: string; bytes: Buffer } | { problem: string }>;

/** As the only page of a tab, an SVG document may run nothing and load nothing either. */
const PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox";

const DAY = 'public, max-age=86400';
const HOUR = 'public, max-age=3600';

/** Something is fetched from elsewhere, at most once an hour. */
const COST = 5;

/** Pictures of tokens from this origin, so that their servers do not see who looks. Without `read` there are none. */
export function explorerPictures(read: ReadPicture | undefined): FastifyPluginAsyncTypebox {
  return async app => {
    app.get('/pictures', { schema: { hide: true } }, async (_request, reply) => {
      reply.header('cache-control', HOUR);
      return { fetched: read !== undefined };
    });
    if (!read) return;
    const params = Type.Object({ contract: TokenContractParam, token: TokenNumberParam });
    const config = { freshness: 'none', asksNode: true, cost: COST } as const;
    app.get('/pictures/:contract/:token', { config, schema: { hide: true, params } }, async (request, reply) => {
      const { contract, token } = request.params;
      const number = BigInt(token);
      if (!isPrincipal(contract) || number > maxTokenNumber) throw notFound('No token has this identifier');
      const found = await findToken(request.sql, principalToBytes(contract), number, undefined);
      const uri = found?.token?.metadata?.image;
      if (uri === undefined) throw notFound('The metadata of this token name no picture');
      const left = new AbortController();
      reply.raw.once('close', () => left.abort());
      const picture = await read(uri, left.signal);
      if ('problem' in picture) throw new PublicError(502, `The picture cannot be had: ${picture.problem}`);
      return reply
        .headers({ 'cache-control': DAY, 'content-security-policy': PICTURE_POLICY })
        .type(picture.type)
        .send(picture.bytes);
    });
  };
}
