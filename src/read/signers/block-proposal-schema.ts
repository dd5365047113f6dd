import { bareHex, toHex } from '@cairn-stacks/codec/hex';
import { rejectReasonName, validationCodeName } from '@cairn-stacks/codec/signer-message/reject-codes';
import { type Static, Type } from 'typebox';
import type { ProposalRow, ResponseRow } from './proposals-queries.ts';
import type { SignerRow } from './signer-set-queries.ts';
import { emptySet, isoMs, percentOf, type SignerSet, signerSets } from './signer-set-schema.ts';

const textOrNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description });
const integerOrNull = (description: string) => Type.Union([Type.Integer(), Type.Null()], { description });

const ProposalVote = Type.Object(
  {
    signer_key: Type.String({ description: 'The public signing key: 33 bytes in hex.' }),
    slot_index: Type.Integer({ description: 'Position in the signer set, from 0.' }),
    response: Type.Enum(['accepted', 'rejected', 'missing'], { description: 'The first response of the signer.' }),
    weight: Type.Integer({ description: 'Number of votes.' }),
    weight_percentage: Type.Number({ description: 'Share of all votes in percent, with three decimals.' }),
    stacked_amount: Type.String({ description: 'Stacked amount in micro-STX.' }),
    version: textOrNull('Version of the signer, empty if the response named none; null without a response.'),
    received_at: textOrNull('Time when the response arrived; null without a response.'),
    response_time_ms: integerOrNull(
      'Time from the arrival of the proposal to that of the response in milliseconds, negative if they crossed; null without a response.',
    ),
    reason_string: textOrNull('Text of a rejection; null otherwise.'),
    reason_code: textOrNull(
      'Name of the reason of a rejection, the most precise that the response names; null otherwise.',
    ),
    validation_code: textOrNull(
      'Name of the validation that failed, if that is the reason of a rejection; null otherwise.',
    ),
  },
  { title: 'ProposalVote' },
);

export const BlockProposal = Type.Object(
  {
    received_at: Type.String({ description: 'Time when the proposal first arrived.' }),
    block_height: Type.Integer({ description: 'Height of the proposed block.' }),
    block_hash: Type.String({ description: 'Hash of the proposed block.' }),
    index_block_hash: Type.String({ description: 'Index block hash of the proposed block.' }),
    burn_block_height: Type.Integer({ description: 'Burn height that the proposal names.' }),
    block_time: Type.Integer({ description: 'Unix time of the proposed block.' }),
    cycle_number: Type.Integer({ description: 'Reward cycle that the proposal names.' }),
    status: Type.Enum(['pending', 'accepted', 'rejected'], {
      description:
        '`accepted` if the block was pushed or is canonical, `pending` if it is higher than the tip, else `rejected`.',
    }),
    push_time_ms: integerOrNull(
      'Time from the arrival of the proposal to that of the signed block in milliseconds; null if it was not pushed.',
    ),
    total_signer_count: Type.Integer({ description: 'Number of signers of the cycle.' }),
    total_signer_weight: Type.Integer({ description: 'Number of votes of the cycle.' }),
    total_signer_stacked_amount: Type.String({ description: 'Stacked amount of the cycle in micro-STX.' }),
    accepted_count: Type.Integer({ description: 'Number of signers that accepted.' }),
    rejected_count: Type.Integer({ description: 'Number of signers that rejected.' }),
    missing_count: Type.Integer({ description: 'Number of signers without a response.' }),
    accepted_weight: Type.Integer({ description: 'Votes of the signers that accepted.' }),
    rejected_weight: Type.Integer({ description: 'Votes of the signers that rejected.' }),
    missing_weight: Type.Integer({ description: 'Votes of the signers without a response.' }),
    signer_data: Type.Array(ProposalVote, { description: 'Every signer of the cycle, by slot.' }),
  },
  { title: 'BlockProposal' },
);
export type BlockProposal = Static<typeof BlockProposal>;

/** A proposal with the vote of each signer of its cycle. */
function renderProposal(row: ProposalRow, set: SignerSet, responses: readonly ResponseRow[]): BlockProposal {
  const bySlot = new Map(responses.map(response => [response.slot, response]));
  const votes = set.signers.map(signer => renderVote(row, set, signer, bySlot.get(signer.slot)));
  const of = (response: string) => votes.filter(vote => vote.response === response);
  const weight = (response: string) => of(response).reduce((sum, vote) => sum + vote.weight, 0);
  return {
    received_at: isoMs(row.received),
    block_height: row.height,
    block_hash: toHex(row.hash),
    index_block_hash: toHex(row.index_hash),
    burn_block_height: row.burn_height,
    block_time: row.time,
    cycle_number: row.cycle,
    status: statusOf(row),
    push_time_ms: row.pushed === null ? null : row.pushed - row.received,
    total_signer_count: set.signers.length,
    total_signer_weight: set.weight,
    total_signer_stacked_amount: String(set.stacked),
    accepted_count: of('accepted').length,
    rejected_count: of('rejected').length,
    missing_count: of('missing').length,
    accepted_weight: weight('accepted'),
    rejected_weight: weight('rejected'),
    missing_weight: weight('missing'),
    signer_data: votes,
  };
}

function statusOf({ pushed, height, tip, block_hash, hash }: ProposalRow): BlockProposal['status'] {
  if (pushed !== null) return 'accepted';
  if (height > tip) return 'pending';
  return block_hash?.equals(hash) ? 'accepted' : 'rejected';
}

function renderVote(
  { received }: ProposalRow,
  set: SignerSet,
  { key, slot, weight, stacked }: SignerRow,
  response: ResponseRow | undefined,
): Static<typeof ProposalVote> {
  return {
    signer_key: toHex(key),
    slot_index: slot,
    response: response === undefined ? 'missing' : response.accepted ? 'accepted' : 'rejected',
    weight,
    weight_percentage: percentOf(weight, set.weight),
    stacked_amount: stacked,
    version: response?.version ?? null,
    received_at: response ? isoMs(response.received) : null,
    response_time_ms: response ? response.received - received : null,
    ...renderReason(response),
  };
}

function renderReason(response: ResponseRow | undefined) {
  if (!response || response.accepted) return { reason_string: null, reason_code: null, validation_code: null };
  const { reason, code, detail, validation } = response;
  return {
    reason_string: reason,
    reason_code: rejectReasonName(detail >= 0 ? detail : code),
    validation_code: validation >= 0 ? validationCodeName(validation) : null,
  };
}

/** Proposals in the order of their rows, from the rows of their signers and responses. */
export function renderProposals(
  rows: readonly ProposalRow[],
  signers: readonly SignerRow[],
  responses: readonly ResponseRow[],
): BlockProposal[] {
  const sets = signerSets(signers);
  const byHash = responsesByHash(responses);
  return rows.map(row => renderProposal(row, sets.get(row.cycle) ?? emptySet, byHash.get(bareHex(row.hash)) ?? []));
}

/** Responses by the hash of the block in hex. */
export function responsesByHash(responses: readonly ResponseRow[]): Map<string, ResponseRow[]> {
  const groups = new Map<string, ResponseRow[]>();
  for (const response of responses) {
    const key = bareHex(response.hash);
    const group = groups.get(key);
    if (group) group.push(response);
    else groups.set(key, [response]);
  }
  return groups;
}
