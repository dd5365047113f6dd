import { principalOrUnknown } from '@cairn-stacks/codec/address/principal';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { inSnapshot } from '../../db/pool/snapshot.ts';
import { ErrorBody } from '../../http/error-body.ts';
import { asOfAtBlock, atBlockQuery } from '../pages/at-block-params.ts';
import { assertBlockNamed } from '../pages/page-errors.ts';
import { contractShape } from '../principals/principal-pattern.ts';
import type { RouteContext } from '../route-context.ts';
import { MAX_EXAMPLE, PrintSchema, renderPrintSchema } from './print-schema-schema.ts';
import { listPrintShapes } from './print-shapes-queries.ts';

export const v1PrintSchema: FastifyPluginAsyncTypebox<RouteContext> = async app => {
  app.get(
    '/extended/v1/contract/:contract_id/print-schema',
    {
      config: { freshness: 'tip' },
      schema: {
        operationId: 'get_contract_print_schema',
        summary: 'Get what the prints of a contract look like',
        description:
          'Returns the topics of what a contract has printed, with the fields and types of their values, how often each was printed, and ' +
          'examples. The paths can be used in filters of `/extended/v2/smart-contracts/{contract_id}/logs`. A contract that has ' +
          'printed nothing has no topics.',
        tags: ['Smart contracts'],
        params: Type.Object({
          contract_id: Type.String({
            pattern: `^${contractShape}$`,
            description: 'A contract identifier, `ADDRESS.NAME`.',
          }),
        }),
        querystring: Type.Object(atBlockQuery),
        response: { 200: PrintSchema, 400: ErrorBody, 404: ErrorBody },
      },
    },
    async ({ sql, params, query }) => {
      const asOf = asOfAtBlock(query.at_block);
      const shapes = await inSnapshot(sql, async snapshot => {
        await assertBlockNamed(snapshot, asOf);
        return await listPrintShapes(snapshot, principalOrUnknown(params.contract_id), asOf, MAX_EXAMPLE);
      });
      return renderPrintSchema(params.contract_id, shapes);
    },
  );
};
