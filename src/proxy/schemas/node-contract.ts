import { decodeAccepted } from '@cairn-stacks/codec/transaction/transaction';
import { Type } from 'typebox';
import type { ContractRow } from '../../read/contracts/contracts-queries.ts';

export const NodeContractSource = Type.Object(
  {
    source: Type.String({ description: 'Source code of the contract.' }),
    publish_height: Type.Integer({ description: 'Height of the block of the deployment.' }),
    proof: Type.Optional(
      Type.String({
        description: 'Merkle proof in hex. Absent with `proof=0`; empty if the index answers instead of a node.',
      }),
    ),
  },
  { title: 'NodeContractSource' },
);

export const NodeContractInterface = Type.Object(
  {
    functions: Type.Array(Type.Unknown(), { description: 'Functions with name, access, arguments and outputs.' }),
    variables: Type.Array(Type.Unknown()),
    maps: Type.Array(Type.Unknown()),
    fungible_tokens: Type.Array(Type.Unknown()),
    non_fungible_tokens: Type.Array(Type.Unknown()),
    epoch: Type.Optional(Type.String()),
    clarity_version: Type.Optional(Type.String()),
  },
  { title: 'NodeContractInterface' },
);

export const ReadOnlyCall = Type.Object(
  {
    sender: Type.String({
      description: 'Principal that calls the function: `tx-sender`.',
      examples: ['SP000000000000000000002Q6VF78'],
    }),
    arguments: Type.Array(Type.String(), { description: 'Arguments: serialized Clarity values in hex.' }),
    sponsor: Type.Optional(Type.String({ description: 'Principal of the sponsor, if any.' })),
  },
  { title: 'ReadOnlyCall' },
);

export const ReadOnlyResult = Type.Object(
  {
    okay: Type.Boolean({ description: 'Whether the function ran without an error.' }),
    result: Type.Optional(Type.String({ description: 'The serialized Clarity value in hex.' })),
    cause: Type.Optional(Type.String({ description: 'Why the function failed. Present only if `okay` is false.' })),
  },
  { title: 'ReadOnlyResult' },
);

export const ClarityData = Type.Object(
  {
    data: Type.String({ description: 'The serialized Clarity value in hex.' }),
    proof: Type.Optional(Type.String({ description: 'Merkle proof in hex. Absent with `proof=0`.' })),
  },
  { title: 'ClarityData' },
);

/** The source of a contract in the form of a node; undefined where the deploy has none. */
export function renderNodeSource(row: ContractRow, proofs: boolean) {
  const { payload } = decodeAccepted(row.raw);
  if (!('source' in payload)) return undefined;
  const source = Buffer.from(payload.source).toString('utf8');
  return { source, publish_height: row.height, ...(proofs && { proof: '' }) };
}
