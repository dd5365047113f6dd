import { toHex } from '@cairn-stacks/codec/hex';
import { type Static, Type } from 'typebox';
import type { ProposalRow, ResponseRow } from './proposals-queries.ts';
import type { SignedBlockRow } from './signed-blocks-queries.ts';
import { round3, type SignerSet } from './signer-set-schema.ts';

const integer = (description: string) => Type.Integer({ description });

const BlockVotes = Type.Object(
  {
    cycle_number: integer('Reward cycle that the proposal names.'),
    total_signer_count: integer('Number of signers of the cycle.'),
    accepted_count: integer('Number of signers whose signature is in the block or that accepted the proposal.'),
    accepted_excluded_count: integer('Those of them whose signature is not in the block.'),
    rejected_count: integer('Number of signers that rejected the proposal.'),
    missing_count: integer('Number of signers without a response and without a signature.'),
    average_response_time_ms: Type.Number({
      description:
        'Mean time from the arrival of the proposal to the arrival of the responses in milliseconds; 0 without responses.',
    }),
    block_proposal_time_ms: Type.Number({ description: 'Unix time in milliseconds when the proposal arrived.' }),
    accepted_stacked_amount: Type.String({ description: 'Micro-STX of the signers that accepted.' }),
    rejected_stacked_amount: Type.String({ description: 'Micro-STX of the signers that rejected.' }),
    missing_stacked_amount: Type.String({ description: 'Micro-STX of the missing signers.' }),
    accepted_weight: integer('Votes of the signers that accepted.'),
    rejected_weight: integer('Votes of the signers that rejected.'),
    missing_weight: integer('Votes of the missing signers.'),
  },
  { title: 'BlockVotes' },
);

export const SignedBlock = Type.Object(
  {
    block_height: integer('Height of the block.'),
    block_hash: Type.String({ description: 'Hash of the block.' }),
    index_block_hash: Type.String({ description: 'Index block hash of the block.' }),
    burn_block_height: integer('Burn height of the block.'),
    tenure_height: integer('Height of the tenure; before Nakamoto the height of the block.'),
    block_time: integer('Unix time of the block; 0 before Nakamoto.'),
    signer_data: Type.Union([BlockVotes, Type.Null()], { description: 'Votes; null if no proposal was recorded.' }),
  },
  { title: 'SignedBlock' },
);
export type SignedBlock = Static<typeof SignedBlock>;

/** Everything that is known of the votes on a block; `signed` are the slots whose signatures are in the block. */
export type BlockVoting = {
  proposal: ProposalRow;
  set: SignerSet;
  responses: readonly ResponseRow[];
  signed: ReadonlySet<number>;
};

export function renderSignedBlock(row: SignedBlockRow, voting: BlockVoting | undefined): SignedBlock {
  return {
    block_height: row.height,
    block_hash: toHex(row.hash),
    index_block_hash: toHex(row.index_hash),
    burn_block_height: row.burn_height,
    tenure_height: row.tenure === -1 ? row.height : row.tenure,
    block_time: row.time,
    signer_data: voting ? renderVotes(voting) : null,
  };
}

type State = 'mined' | 'excluded' | 'rejected' | 'missing';

function renderVotes({ proposal, set, responses, signed }: BlockVoting): Static<typeof BlockVotes> {
  const bySlot = new Map(responses.map(response => [response.slot, response]));
  const sums: Record<State, { count: number; weight: number; stacked: bigint }> = {
    mined: { count: 0, weight: 0, stacked: 0n },
    excluded: { count: 0, weight: 0, stacked: 0n },
    rejected: { count: 0, weight: 0, stacked: 0n },
    missing: { count: 0, weight: 0, stacked: 0n },
  };
  let times = 0;
  let answers = 0;
  for (const { slot, weight, stacked } of set.signers) {
    const response = bySlot.get(slot);
    const state = signed.has(slot) ? 'mined' : !response ? 'missing' : response.accepted ? 'excluded' : 'rejected';
    const sum = sums[state];
    sum.count++;
    sum.weight += weight;
    sum.stacked += BigInt(stacked);
    if (!response) continue;
    times += response.received - proposal.received;
    answers++;
  }
  const { mined, excluded, rejected, missing } = sums;
  return {
    cycle_number: proposal.cycle,
    total_signer_count: set.signers.length,
    accepted_count: mined.count + excluded.count,
    accepted_excluded_count: excluded.count,
    rejected_count: rejected.count,
    missing_count: missing.count,
    average_response_time_ms: answers === 0 ? 0 : round3(times / answers),
    block_proposal_time_ms: proposal.received,
    accepted_stacked_amount: String(mined.stacked + excluded.stacked),
    rejected_stacked_amount: String(rejected.stacked),
    missing_stacked_amount: String(missing.stacked),
    accepted_weight: mined.weight + excluded.weight,
    rejected_weight: rejected.weight,
    missing_weight: missing.weight,
  };
}
