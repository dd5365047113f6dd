import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { ErrorBody } from '../../http/error-body.ts';
import type { RouteContext } from '../route-context.ts';
import { bothPaths, LocaleParam, WantedToken } from './metadata-params.ts';
import { FoundMetadata } from './token-schema.ts';
import { searchTokens } from './tokens-view.ts';

export const metadataSearch: FastifyPluginAsyncTypebox<RouteContext> = async (app, { sql }) => {
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
    app.get(url, { config: { freshness: 'content', cost: 3 }, schema: { ...schema, hide } }, ({ query }) =>
      searchTokens(sql, query.contract, query.locale),
    );
  }
};
