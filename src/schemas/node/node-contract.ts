import { Type } from 'typebox';
import { decodeAccepted } from '../../codec/transaction/transaction.ts';
import type { ContractRow } from '../../queries/contracts/contracts.ts';

export const NodeContractSource = Type.Object(
  {
    source: Type.String({ description: 'The code of the contract.' }),
    publish_height: Type.Integer({ description: 'Block of the deploy.' }),
    proof: Type.Optional(Type.String({ description: 'Left out with proof=0; empty when the index answers.' })),
  },
  { title: 'NodeContractSource' },
);

export const NodeContractInterface = Type.Object(
  {
    functions: Type.Array(Type.Unknown(), { description: 'Name, access, arguments and outputs of each function.' }),
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
    sender: Type.String({ description: 'Who calls, as tx-sender.', examples: ['SP000000000000000000002Q6VF78'] }),
    arguments: Type.Array(Type.String(), { description: 'Serialized Clarity values as hex.' }),
    sponsor: Type.Optional(Type.String()),
  },
  { title: 'ReadOnlyCall' },
);

export const ReadOnlyResult = Type.Object(
  {
    okay: Type.Boolean({ description: 'Whether the function could be run.' }),
    result: Type.Optional(Type.String({ description: 'The serialized Clarity value as hex.' })),
    cause: Type.Optional(Type.String({ description: 'Why it could not be run.' })),
  },
  { title: 'ReadOnlyResult' },
);

export const ClarityData = Type.Object(
  {
    data: Type.String({ description: 'The serialized Clarity value as hex.' }),
    proof: Type.Optional(Type.String()),
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
