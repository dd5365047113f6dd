import { type Static, Type } from 'typebox';
import { diagnosisCodes, type Reason } from '../../chain/mempool/diagnosis.ts';
import { isoTime } from '../pages/time.ts';

const DiagnosisReason = Type.Object(
  {
    code: Type.Enum([...diagnosisCodes]),
    message: Type.String({ description: 'Explanation of the code.' }),
    blocking: Type.Boolean({ description: 'Whether this keeps the transaction from being mined.' }),
    account: Type.Optional(Type.String({ description: 'Account that the reason concerns.' })),
    nonces: Type.Optional(
      Type.Array(Type.Integer(), { description: 'Nonces that are missing or already used; at most 100.' }),
    ),
    tx_ids: Type.Optional(
      Type.Array(Type.String(), { description: 'Ids of other transactions that are involved; at most 100.' }),
    ),
  },
  { title: 'DiagnosisReason' },
);

export const Diagnosis = Type.Object(
  {
    tx_id: Type.String(),
    state: Type.Enum(['pending', 'success', 'failed', 'dropped', 'orphaned'], {
      description: '`failed` is any abort. `orphaned` means that only non-canonical blocks hold the transaction.',
    }),
    tx_status: Type.String({ description: 'Exact status, as in the transaction.' }),
    receipt_time: Type.Optional(
      Type.Integer({
        description:
          'Unix time in seconds at which the transaction arrived here. Absent if it was never seen before its block, or was ' +
          'mined long ago.',
      }),
    ),
    summary: Type.String({ description: 'Message of the first reason.' }),
    reasons: Type.Array(DiagnosisReason, { description: 'Reasons, blocking ones first.' }),
    fee: Type.Optional(
      Type.Object({
        fee_rate: Type.String({ description: 'Total fee in micro-STX.' }),
        percentile: Type.Union([Type.Integer(), Type.Null()], {
          description:
            'Percentage of the other pending transactions of this type that pay less, plus half of those that pay the same; null if there are none.',
        }),
        compared_with: Type.Integer({ description: 'Number of other pending transactions of this type.' }),
      }),
    ),
    expires: Type.Optional(
      Type.Object(
        {
          receipt_time: Type.Integer({ description: 'Unix time in seconds at which the transaction arrived.' }),
          expires_at: Type.Union([Type.Integer(), Type.Null()], {
            description: 'Unix time in seconds; null before Nakamoto.',
          }),
          expires_at_iso: Type.Union([Type.String(), Type.Null()], { description: 'The same time as UTC text.' }),
          seconds_left: Type.Union([Type.Integer(), Type.Null()], {
            description: 'Seconds until expiry; null before Nakamoto.',
          }),
          tenures_left: Type.Union([Type.Integer(), Type.Null()], {
            description: 'Number of tenures until expiry before Nakamoto; null since then.',
          }),
        },
        { description: 'When nodes remove the transaction from the mempool. Present only for pending transactions.' },
      ),
    ),
  },
  { title: 'TransactionDiagnosis' },
);
export type Diagnosis = Static<typeof Diagnosis>;

type Judged = Pick<Diagnosis, 'tx_id' | 'state' | 'tx_status' | 'receipt_time'>;

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
