import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { NameError, Price } from '../../../schemas/names/name.ts';
import { nameError } from '../../../views/names/lookup.ts';
import { findNamePrice, findNamespacePrice } from '../../../views/names/price.ts';
import type { RouteContext } from '../../route-context.ts';

const tags = ['Names'];
const config = { freshness: 'tip', asksNode: true } as const;

export const namesPrices: FastifyPluginAsyncTypebox<RouteContext> = async (app, { sql, network, callReadOnly }) => {
  const sources = { sql, mainnet: network.mainnet, callReadOnly };

  app.get(
    '/v2/prices/namespaces/:tld',
    {
      config,
      schema: {
        operationId: 'get_namespace_price',
        summary: 'What a namespace costs',
        tags,
        params: Type.Object({ tld: Type.String({ description: 'The namespace.' }) }),
        response: { 200: Price, 400: NameError },
      },
    },
    async ({ params: { tld } }) => {
      const amount = await findNamespacePrice(tld, sources);
      if (amount === undefined) throw nameError(400, 'Invalid namespace');
      return { units: 'STX' as const, amount: amount.toString() };
    },
  );

  app.get(
    '/v2/prices/names/:name',
    {
      config,
      schema: {
        operationId: 'get_name_price',
        summary: 'What a name costs',
        tags,
        params: Type.Object({ name: Type.String({ description: 'A name with its namespace.' }) }),
        response: { 200: Price, 400: NameError },
      },
    },
    async ({ params: { name } }) => {
      const [label = '', namespace = '', ...rest] = name.split('.');
      const amount = rest.length === 0 ? await findNamePrice(label, namespace, sources) : undefined;
      if (amount === undefined) throw nameError(400, 'Invalid name');
      return { units: 'STX' as const, amount: amount.toString() };
    },
  );
};
