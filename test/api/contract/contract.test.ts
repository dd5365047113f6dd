import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { OpenApi, Operation } from '../../../src/api/docs/openapi.ts';
import { printOpenApi } from '../../../src/commands/openapi.ts';
import { accepted, unexplained } from '../../support/contract/accepted.ts';
import { compareDocuments } from '../../support/contract/compare-operations.ts';
import { listShapes } from '../../support/contract/list-shapes.ts';
import type { Schema } from '../../support/contract/schema-alternatives.ts';

const document = JSON.parse(await printOpenApi()) as OpenApi;

/** The incumbent's documents stand beside the project and are no part of it. */
const fileOf = (version: number) =>
  fileURLToPath(new URL(`../../../../shared/reference/openapi-structure.v${version}.json`, import.meta.url));

test.for([8, 9] as const)(
  'no operation, parameter or response differs from version %i of the incumbent without a reason',
  (version, t) => {
    t.skip(
      !existsSync(fileOf(version)),
      `the document of version ${version} of the incumbent is not beside the project`,
    );
    const theirs = JSON.parse(readFileSync(fileOf(version), 'utf8')) as OpenApi;
    const found = compareDocuments(theirs, document);
    const { differences, stale } = unexplained(found, accepted[version]);
    expect(differences).toEqual([]);
    expect(stale).toEqual([]);
  },
);

/** Clients depend on every line: one that goes or changes is a decision. `npm test -- FILE -u` writes the list anew. */
test('operations, parameters and types are those of the reviewed list', async () => {
  await expect(listShapes(document)).toMatchFileSnapshot('./shapes.txt');
});

describe('the comparison', () => {
  test('finds nothing between a document and itself', () => {
    expect(compareDocuments(document, document)).toEqual([]);
  });

  const path = '/extended/v1/tx/{tx_id}';
  type Properties = Record<string, Schema>;
  const planted: [string, (copy: OpenApi, operation: Operation) => void, string[]][] = [
    [
      'a path that is gone',
      copy => {
        delete copy.paths[path];
      },
      [`GET ${path}: no such operation in ours`],
    ],
    [
      'another operation id',
      (_, operation) => {
        operation.operationId = 'another';
      },
      [`GET ${path}: operation get_transaction_by_id, ours another`],
    ],
    [
      'a mark of deprecation',
      (_, operation) => {
        operation.deprecated = true;
      },
      [`GET ${path}: not deprecated, ours is`],
    ],
    [
      'a parameter that is gone, one that must be given and one with another limit',
      (_, operation) => {
        operation.parameters = operation.parameters!.filter(each => each.name !== 'unanchored');
        const limit = operation.parameters.find(each => each.name === 'event_limit')!;
        limit.required = true;
        limit.schema.maximum = 7;
      },
      [
        `GET ${path} query event_limit: maximum 100, ours 7`,
        `GET ${path} query event_limit: optional, ours required`,
        `GET ${path} query unanchored: not in ours`,
      ],
    ],
    [
      'another content type',
      (_, operation) => {
        const { content } = operation.responses['200']!;
        operation.responses['200']!.content = { 'text/plain': content!['application/json']! };
      },
      [`GET ${path} 200: application/json, not in ours`, `GET ${path} 200: text/plain only in ours`],
    ],
    [
      'a field of another type, one that may be null, one that is optional, one that is gone and a new one',
      copy => {
        const shape = copy.components!.schemas!.CoinbaseTransaction as unknown as Schema & { required: string[] };
        const { nonce: _, ...properties } = shape.properties as Properties;
        properties.fee_rate = { type: 'integer' };
        properties.tx_id = { anyOf: [{ type: 'string' }, { type: 'null' }] };
        properties.more = { type: 'string' };
        shape.required = shape.required.filter(name => name !== 'event_count' && name !== 'nonce');
        shape.properties = properties;
      },
      [
        'CoinbaseTransaction.event_count: required, ours optional',
        'CoinbaseTransaction.fee_rate: type string, ours integer',
        'CoinbaseTransaction.more: only in ours, optional',
        'CoinbaseTransaction.nonce: required, not in ours',
        'CoinbaseTransaction.tx_id: type string, ours null|string',
      ],
    ],
    [
      'fewer values, and any value',
      copy => {
        const shape = copy.components!.schemas!.TenureChangePayload as { properties: Properties };
        shape.properties.cause = { type: 'string', enum: ['block_found', 'boredom'] };
        const coinbase = copy.components!.schemas!.CoinbaseTransaction as { properties: Properties };
        coinbase.properties.anchor_mode = { type: 'string' };
      },
      [
        'CoinbaseTransaction.anchor_mode: only on_chain_only|off_chain_only|any, ours any value',
        'TenureChangePayload.cause: values boredom only in ours',
        'TenureChangePayload.cause: values extended|extended_runtime|extended_read_count|extended_read_length|extended_write_count|extended_write_length not in ours',
      ],
    ],
  ];

  test.each(planted)('finds %s', (_, change, expected) => {
    const copy = structuredClone(document);
    change(copy, copy.paths[path]!.get!);
    const shared = new Set(expected);
    expect(compareDocuments(document, copy).filter(line => shared.has(line))).toEqual(expected);
  });
});
