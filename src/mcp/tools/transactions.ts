import { Type } from 'typebox';
import { path } from '../api-reader.ts';
import { Cursor, input, Limit, Principal, TxId, txIdOf } from '../params.ts';
import { memoText, untrusted, untrustedTexts } from '../text.ts';
import { tool } from '../tool.ts';
import { stx, time } from '../units.ts';

type Summary = { tx_status: string; text: string; parts: { kind: string; id?: string }[]; complete: boolean };
type Tx = {
  tx_id: string;
  tx_status: string;
  tx_type: string;
  sender_address: string;
  sponsor_address?: string;
  nonce: number;
  fee_rate: string;
  block_height?: number;
  block_time?: number;
  burn_block_height?: number;
  canonical?: boolean;
  receipt_time?: number;
  event_count?: number;
  tx_result?: { repr: string };
  vm_error?: string | null;
  token_transfer?: { recipient_address: string; amount: string; memo: string };
  contract_call?: {
    contract_id: string;
    function_name: string;
    function_args?: { name: string; type: string; repr: string }[];
  };
  smart_contract?: { contract_id: string };
  post_condition_mode: string;
  post_conditions: unknown[];
};
type Diagnosis = {
  state: string;
  summary: string;
  reasons: { code: string; message: string; blocking: boolean }[];
  fee?: { percentile: number | null; compared_with: number };
  expires?: { expires_at_iso: string | null };
};

const MAX_ARGUMENTS = 20;

export const explainTransaction = tool({
  name: 'explain_transaction',
  title: 'Explain a transaction',
  description:
    'What one transaction did, is meant to do, or why it failed: a sentence, its sender, fee, block, call with arguments, result. Begin here for any transaction id.',
  input: input({ tx_id: TxId }),
  async run({ tx_id }, api) {
    const id = txIdOf(tx_id);
    const tx = await api.get<Tx>(path`/extended/v1/tx/${id}`, { event_limit: 1 });
    const summary = await api.get<Summary>(path`/extended/v1/tx/${id}/summary`);
    const { token_transfer: transfer, contract_call: call } = tx;
    const args = call?.function_args ?? [];
    return {
      data: {
        summary: summary.text,
        named: [...new Set(summary.parts.flatMap(part => (part.kind === 'principal' && part.id ? [part.id] : [])))],
        tx_id: tx.tx_id,
        status: tx.tx_status,
        type: tx.tx_type,
        sender: tx.sender_address,
        ...(tx.sponsor_address && { fee_paid_by: tx.sponsor_address }),
        nonce: tx.nonce,
        fee: stx(tx.fee_rate),
        ...(tx.block_height !== undefined && {
          block: tx.block_height,
          time: time(tx.block_time ?? 0),
          bitcoin_block: tx.burn_block_height,
          canonical: tx.canonical,
          events: tx.event_count,
          result: untrusted(tx.tx_result?.repr ?? '', 500),
        }),
        ...(tx.vm_error && { error: untrusted(tx.vm_error, 500) }),
        ...(transfer && { recipient: transfer.recipient_address, memo: memoText(transfer.memo) }),
        ...(call && {
          contract: call.contract_id,
          function: call.function_name,
          arguments: args.slice(0, MAX_ARGUMENTS).map(({ name, type, repr }) => ({
            name,
            type: type.slice(0, 200),
            value: untrustedTexts(repr, 300),
          })),
          ...(args.length > MAX_ARGUMENTS && { arguments_truncated_from: args.length }),
        }),
        ...(tx.smart_contract && { contract: tx.smart_contract.contract_id }),
        post_conditions: `${tx.post_conditions.length}, mode ${tx.post_condition_mode}`,
      },
      next_steps: [
        ...(tx.tx_status === 'success' ? [] : [`why_pending {"tx_id":"${tx.tx_id}"} says why`]),
        ...(call ? [`contract {"contract_id":"${call.contract_id}"} says what the contract offers`] : []),
      ],
    };
  },
});

export const whyPending = tool({
  name: 'why_pending',
  title: 'Why a transaction waits or failed',
  description:
    'Why a transaction is still pending, was dropped or aborted: missing nonces, low fee, missing funds, a replacement; and when nodes give it up.',
  input: input({ tx_id: TxId }),
  async run({ tx_id }, api) {
    const id = txIdOf(tx_id);
    const found = await api.get<Diagnosis>(path`/extended/v1/tx/${id}/diagnosis`);
    return {
      data: {
        state: found.state,
        summary: found.summary,
        reasons: found.reasons.map(({ code, message, blocking }) => ({ code, message, blocking })),
        ...(found.fee && {
          fee: `higher than that of ${found.fee.percentile ?? '?'} % of ${found.fee.compared_with} other pending transactions of its type`,
        }),
        ...(found.expires && { nodes_give_it_up_at: found.expires.expires_at_iso }),
      },
    };
  },
});

type Row = {
  tx_id: string;
  sender: { address: string; nonce: number };
  fee_rate: string;
  block?: { height: number; time: number };
  status?: string;
  type: string;
  token_transfer?: { recipient: string; amount: string };
  contract_call?: { contract_id: string; function_name: string };
  smart_contract?: { contract_id: string };
};
type Page<T> = { total: number; cursor: { next: string | null }; results: T[] };

export const transactions = tool({
  name: 'transactions',
  title: 'List transactions',
  description:
    'Transactions, newest first: of an account or contract with what it gained and lost in STX, or of the whole chain. `pending` lists those that wait.',
  input: input({
    principal: Type.Optional(Principal),
    pending: Type.Optional(Type.Boolean({ default: false, description: 'Only those that wait for a block.' })),
    limit: Limit,
    cursor: Cursor,
  }),
  async run({ principal, pending = false, limit = 10, cursor }, api) {
    const query = { limit, cursor };
    if (pending) {
      const list =
        principal === undefined
          ? '/extended/v3/mempool/transactions'
          : path`/extended/v3/principals/${principal}/mempool/transactions`;
      const page = await api.get<Page<Row>>(list, query);
      return listed(page, page.results.map(rowOf), 'pending');
    }
    if (principal === undefined) {
      const page = await api.get<Page<Row>>('/extended/v3/transactions', query);
      return listed(page, page.results.map(rowOf));
    }
    const page = await api.get<Page<{ transaction: Row; balance_changes: { stx: { net: string } } }>>(
      path`/extended/v3/principals/${principal}/transactions`,
      query,
    );
    return listed(
      page,
      page.results.map(({ transaction, balance_changes }) => ({
        ...rowOf(transaction),
        stx_change: signed(balance_changes.stx.net),
      })),
    );
  },
});

const signed = (net: string) => (net.startsWith('-') ? `-${stx(net.slice(1))}` : `+${stx(net)}`);

const listed = (page: Page<unknown>, rows: object[], what = 'confirmed') => ({
  data: { total: page.total, [`${what}_transactions`]: rows },
  next_cursor: page.cursor.next ?? undefined,
  next_steps: rows.length > 0 ? ['explain_transaction with a tx_id tells what it did'] : undefined,
});

function rowOf(row: Row): object {
  const { token_transfer: transfer, contract_call: call, smart_contract: contract } = row;
  return {
    tx_id: row.tx_id,
    sender: row.sender.address,
    type: row.type,
    ...(row.status && { status: row.status }),
    ...(row.block && { block: row.block.height, time: time(row.block.time) }),
    fee: stx(row.fee_rate),
    ...(transfer && { sends: stx(transfer.amount), to: transfer.recipient }),
    ...(call && { calls: `${call.contract_id} ${call.function_name}` }),
    ...(contract && { deploys: contract.contract_id }),
  };
}
