import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import type { RouteContext } from '../route-context.ts';
import { nameError } from './name-errors.ts';
import { NameError, Price } from './name-schema.ts';
import { findNamePrice, findNamespacePrice } from './price-view.ts';

const tags = ['Names'];
const config = { freshness: 'tip', asksNode: true } as const;

export const namesPrices: FastifyPluginAsyncTypebox<RouteContext> = async (app, { network, callReadOnly }) => {
  const sources = { mainnet: network.mainnet, callReadOnly };

  app.get(
    '/v2/prices/namespaces/:tld',
    {
      config,
      schema: {
        operationId: 'get_namespace_price',
        summary: 'Get the price of a namespace',
        description:
          'Returns the price of registering a namespace, in micro-STX. The status is 400 if the namespace is ' +
          'invalid.',
        tags,
        params: Type.Object({ tld: Type.String({ description: 'A namespace, such as `btc`.' }) }),
        response: { 200: Price, 400: NameError },
      },
    },
    async ({ sql, params: { tld } }) => {
      const amount = await findNamespacePrice(tld, { sql, ...sources });
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
        summary: 'Get the price of a name',
        description:
          'Returns the price of registering a name, in micro-STX. The status is 400 if the name or its namespace is ' +
          'invalid.',
        tags,
        params: Type.Object({ name: Type.String({ description: 'A name with its namespace, such as `muneeb.btc`.' }) }),
        response: { 200: Price, 400: NameError },
      },
    },
    async ({ sql, params: { name } }) => {
      const [label = '', namespace = '', ...rest] = name.split('.');
      const amount = rest.length === 0 ? await findNamePrice(label, namespace, { sql, ...sources }) : undefined;
      if (amount === undefined) throw nameError(400, 'Invalid name');
      return { units: 'STX' as const, amount: amount.toString() };
    },
  );
};
