import { type Static, Type } from 'typebox';
import { diagnosisCodes, type Reason } from '../../chain/mempool/diagnosis.ts';
import { isoTime } from '../time.ts';

const DiagnosisReason = Type.Object(
  {
    code: Type.Enum([...diagnosisCodes]),
    message: Type.String({ description: 'The same in words.' }),
    blocking: Type.Boolean({ description: 'While this holds, the transaction cannot be mined.' }),
    account: Type.Optional(Type.String({ description: 'The account it is about.' })),
    nonces: Type.Optional(
      Type.Array(Type.Integer(), { description: 'The nonces that are missing or used, at most 100.' }),
    ),
    tx_ids: Type.Optional(Type.Array(Type.String(), { description: 'Other transactions it is about, at most 100.' })),
  },
  { title: 'DiagnosisReason' },
);

export const Diagnosis = Type.Object(
  {
    tx_id: Type.String(),
    state: Type.Enum(['pending', 'success', 'failed', 'dropped', 'orphaned'], {
      description: '`failed` is every abort; `orphaned` stood only in blocks that left the chain.',
    }),
    tx_status: Type.String({ description: 'The exact status, as in the transaction.' }),
    summary: Type.String({ description: 'What matters most, in words.' }),
    reasons: Type.Array(DiagnosisReason, { description: 'What blocks it comes first.' }),
    fee: Type.Optional(
      Type.Object({
        fee_rate: Type.String({ description: 'In micro-STX.' }),
        percentile: Type.Union([Type.Integer(), Type.Null()], {
          description:
            'Share of the other pending ones of its type that pay less, and half of those that pay as much; null without any.',
        }),
        compared_with: Type.Integer({ description: 'How many others of its type are pending.' }),
      }),
    ),
    expires: Type.Optional(
      Type.Object(
        {
          receipt_time: Type.Integer(),
          expires_at: Type.Union([Type.Integer(), Type.Null()], { description: 'Unix seconds; null before Nakamoto.' }),
          expires_at_iso: Type.Union([Type.String(), Type.Null()]),
          seconds_left: Type.Union([Type.Integer(), Type.Null()]),
          tenures_left: Type.Union([Type.Integer(), Type.Null()], { description: 'Before Nakamoto, else null.' }),
        },
        { description: 'When nodes forget it, unless it is mined before.' },
      ),
    ),
  },
  { title: 'TransactionDiagnosis' },
);
export type Diagnosis = Static<typeof Diagnosis>;

type Judged = Pick<Diagnosis, 'tx_id' | 'state' | 'tx_status'>;

/** A finding about a transaction, without what only pending ones have. */
export const renderDiagnosis = (judged: Judged, reasons: readonly Reason[]): Diagnosis => ({
  ...judged,
  summary: reasons[0]?.message ?? '',
  reasons: reasons.map(({ code, message, blocking, account, nonces, txIds }) => ({
    code,
    message,
    blocking,
    ...(account !== undefined && { account }),
    ...(nonces && { nonces }),
    ...(txIds && { tx_ids: txIds }),
  })),
});

type Left = { seconds: number } | { tenures: number };

export function renderExpiry(receivedAt: number, now: number, left: Left): NonNullable<Diagnosis['expires']> {
  const at = 'seconds' in left ? now + left.seconds : null;
  return {
    receipt_time: receivedAt,
    expires_at: at,
    expires_at_iso: at === null ? null : isoTime(at),
    seconds_left: 'seconds' in left ? Math.max(0, left.seconds) : null,
    tenures_left: 'tenures' in left ? Math.max(0, left.tenures) : null,
  };
}
