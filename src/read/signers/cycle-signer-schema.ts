import { toHex } from '@cairn-stacks/codec/hex';
import { type Static, Type } from 'typebox';
import type { SignerRow } from './signer-set-queries.ts';
import { isoMs, percentOf, round3, type SignerSet } from './signer-set-schema.ts';
import type { SignerTotalsRow } from './signer-totals-queries.ts';

const nullable = <T extends ReturnType<typeof Type.Number> | ReturnType<typeof Type.String>>(type: T) =>
  Type.Union([type, Type.Null()]);
const count = (description: string) => Type.Union([Type.Integer(), Type.Null()], { description });

export const CycleSigner = Type.Object(
  {
    signer_key: Type.String({ description: 'The public signing key: 33 bytes in hex.' }),
    slot_index: Type.Integer({ description: 'Position in the signer set, from 0.' }),
    weight: Type.Integer({ description: 'Number of votes.' }),
    weight_percentage: Type.Number({ description: 'Share of all votes in percent, with three decimals.' }),
    stacked_amount: Type.String({ description: 'Stacked amount in micro-STX.' }),
    stacked_amount_percent: Type.Number({
      description: 'Share of the stacked amount in percent, with three decimals.',
    }),
    stacked_amount_rank: Type.Integer({ description: 'Rank by the stacked amount, from 1; the key breaks ties.' }),
    proposals_accepted_count: count(
      'Proposals whose first response of this signer was an acceptance; null if no proposal of the cycle was recorded.',
    ),
    proposals_rejected_count: count(
      'Proposals whose first response of this signer was a rejection; null if no proposal of the cycle was recorded.',
    ),
    proposals_missed_count: count(
      'Canonical blocks whose proposal was recorded and to which no response of this signer arrived; null if no proposal of the cycle was recorded.',
    ),
    average_response_time_ms: Type.Union([Type.Number(), Type.Null()], {
      description:
        'Mean time from the arrival of a proposal to the arrival of the response, in milliseconds; 0 without responses, null if no proposal of the cycle was recorded.',
    }),
    last_seen: nullable(Type.String({ description: 'Time when the last response arrived; null if none did.' })),
    version: nullable(
      Type.String({
        description: 'Version of the signer in that response, empty if it named none; null if none arrived.',
      }),
    ),
  },
  { title: 'SignerMetricsSigner' },
);
export type CycleSigner = Static<typeof CycleSigner>;

/** The signers of a cycle, those with the most STX first; `blocks` is undefined if no proposal of the cycle was recorded. */
export function renderCycleSigners(
  set: SignerSet,
  totals: readonly SignerTotalsRow[],
  blocks: number | undefined,
): CycleSigner[] {
  const bySlot = new Map(totals.map(row => [row.slot, row]));
  const ranked = [...set.signers].sort(byStacked);
  return ranked.map((signer, i) => renderSigner(set, signer, i + 1, bySlot.get(signer.slot), blocks));
}

/** Signers are in the order of their keys already. */
function byStacked(a: SignerRow, b: SignerRow): number {
  const difference = BigInt(b.stacked) - BigInt(a.stacked);
  return difference === 0n ? a.slot - b.slot : difference > 0n ? 1 : -1;
}

function renderSigner(
  set: SignerSet,
  { key, slot, weight, stacked }: SignerRow,
  rank: number,
  totals: SignerTotalsRow | undefined,
  blocks: number | undefined,
): CycleSigner {
  const { accepted = 0, rejected = 0, answered = 0, response_ms = 0 } = totals ?? {};
  const known = blocks !== undefined;
  const responses = accepted + rejected;
  return {
    signer_key: toHex(key),
    slot_index: slot,
    weight,
    weight_percentage: percentOf(weight, set.weight),
    stacked_amount: stacked,
    stacked_amount_percent: percentOf(Number(stacked), Number(set.stacked)),
    stacked_amount_rank: rank,
    proposals_accepted_count: known ? accepted : null,
    proposals_rejected_count: known ? rejected : null,
    proposals_missed_count: known ? blocks - answered : null,
    average_response_time_ms: known ? (responses === 0 ? 0 : round3(response_ms / responses)) : null,
    last_seen: totals ? isoMs(totals.last_received) : null,
    version: totals ? totals.version : null,
  };
}
