import { Type } from 'typebox';
import { path } from '../api-reader.ts';
import { Cursor, input, Limit, Principal } from '../params.ts';
import { tool } from '../tool.ts';
import { btc } from '../units.ts';

type Sum = { count: number; total: string };
type Summary = {
  deposits: Sum;
  withdrawals: { pending: Sum; accepted: Sum; rejected: Sum; fees: string };
  supply: { spendable: string; locked: string; total: string };
  signers: { threshold: number; keys: string[]; wallet_address: string | null } | null;
};
type Sweep = { tx_id: string; confirmations: number | null; canonical: boolean | null } | null;
type Movement = { tx_id?: string; amount: string; status: string; sweep: Sweep } & (
  | { type: 'deposit'; bitcoin_tx_id: string; vout: number }
  | {
      type: 'withdrawal';
      request_id: number;
      max_fee: string;
      fee: string | null;
      recipient: { address: string | null };
      requested: { tx_id: string };
      expires_at_bitcoin_height: number;
    }
);
type Movements = { total: number | null; results: Movement[]; cursor: { next: string | null } };

const sum = ({ count, total }: Sum) => ({ count, total: btc(total) });

export const sbtc = tool({
  name: 'sbtc',
  title: 'sBTC: the whole of it, or the deposits and withdrawals of an account',
  description:
    'Sums of deposits and withdrawals, supply and signers of sBTC; with a principal its deposits and withdrawals, each with its state and the confirmations on Bitcoin.',
  input: input({ principal: Type.Optional(Principal), limit: Limit, cursor: Cursor }),
  async run({ principal, limit = 10, cursor }, api) {
    if (principal === undefined) return { data: summaryOf(await api.get<Summary>('/extended/v1/sbtc/summary')) };
    const list = await api.get<Movements>(path`/extended/v1/sbtc/principals/${principal}`, { limit, cursor });
    return {
      data: { principal, total: list.total, movements: list.results.map(movementOf) },
      next_cursor: list.cursor.next ?? undefined,
    };
  },
});

const summaryOf = ({ deposits, withdrawals, supply, signers }: Summary) => ({
  deposits: sum(deposits),
  withdrawals: {
    pending: sum(withdrawals.pending),
    accepted: sum(withdrawals.accepted),
    rejected: sum(withdrawals.rejected),
    fees: btc(withdrawals.fees),
  },
  supply: { total: btc(supply.total), waiting_for_withdrawals: btc(supply.locked) },
  ...(signers && {
    signers: `${signers.threshold} of ${signers.keys.length} signatures are needed`,
    bitcoin_held_at: signers.wallet_address,
  }),
});

function movementOf(movement: Movement) {
  const { type, amount, status, sweep } = movement;
  const common = { type, status, amount: btc(amount), ...(sweep && { bitcoin: sweptAs(sweep) }) };
  if (movement.type === 'deposit')
    return { ...common, bitcoin_output: `${movement.bitcoin_tx_id}:${movement.vout}`, tx_id: movement.tx_id };
  const { request_id, fee, max_fee, recipient, requested, expires_at_bitcoin_height } = movement;
  return {
    ...{ request_id, ...common, pays: recipient.address },
    ...(fee === null ? { highest_fee: btc(max_fee) } : { fee: btc(fee) }),
    ...(status === 'pending' && { expires_at_bitcoin_height }),
    tx_id: requested.tx_id,
  };
}

function sweptAs({ tx_id, confirmations, canonical }: NonNullable<Sweep>): string {
  if (canonical === null) return `in ${tx_id}, in a Bitcoin block that this index does not know`;
  return canonical
    ? `in ${tx_id}, ${confirmations} confirmations`
    : `in ${tx_id}, whose Bitcoin block a fork has orphaned`;
}
