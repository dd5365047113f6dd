import { isPrincipal, principalToBytes } from '@cairn-stacks/codec/address/principal';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { ErrorBody } from '../../http/error-body.ts';
import type { RouteContext } from '../route-context.ts';
import { bothPaths, LocaleParam, WantedToken } from './metadata-params.ts';
import { FoundMetadata, renderFound } from './token-schema.ts';
import { maxTokenNumber } from './token-view.ts';
import { listTokens } from './tokens-queries.ts';

export const metadataSearch: FastifyPluginAsyncTypebox<RouteContext> = async app => {
  const schema = {
    operationId: 'search_token_metadata',
    summary: 'Get the metadata of several tokens',
    description:
      'Returns the tokens that are known, in the order of the request. Unknown tokens are left out. If a token has no such ' +
      'locale, its fields from the metadata are left out. Also served as `/metadata/search`.',
    tags: ['Token metadata'],
    querystring: Type.Object({
      contract: Type.Array(WantedToken, {
        ...{ minItems: 1, maxItems: 50 },
        description: 'Tokens, each `CONTRACT_ID` or `CONTRACT_ID:TOKEN_NUMBER`. The default number is 1.',
      }),
      locale: LocaleParam,
    }),
    response: { 200: Type.Array(FoundMetadata, { title: 'FoundTokenMetadataList' }), 400: ErrorBody },
  };
  for (const { url, hide } of bothPaths('/search')) {
    app.get(url, { config: { freshness: 'content', cost: 3 }, schema: { ...schema, hide } }, async ({ sql, query }) => {
      const keys = tokenKeysOf(query.contract);
      const rows = keys.length === 0 ? [] : await listTokens(sql, keys, query.locale);
      return rows.filter(row => row.read_at !== null).map(renderFound);
    });
  }
};

/** Tokens that may exist, of texts `CONTRACT` or `CONTRACT:NUMBER`, each once. */
const tokenKeysOf = (wanted: readonly string[]) =>
  [...new Set(wanted)].flatMap(text => {
    const [contract = '', number = '1'] = text.split(':');
    if (!isPrincipal(contract) || BigInt(number) > maxTokenNumber) return [];
    return [{ contract: principalToBytes(contract), number: BigInt(number) }];
  });
