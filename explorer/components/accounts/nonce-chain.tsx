import type { NonceChain } from '../../api/schema.ts';
import { Notice } from '../message.tsx';
import { type Column, RowTable } from '../row-table.tsx';
import { Stx } from '../values/amount.tsx';
import { TxLink } from '../values/links.tsx';

const states: Readonly<Record<string, string>> = {
  ready: 'can be mined now',
  waiting: 'waits for an earlier nonce',
  stale: 'its nonce is already used',
};

const columns: readonly Column<NonceChain['pending'][number]>[] = [
  { title: 'Nonce', cell: ({ nonce }) => nonce },
  { title: 'Transaction', cell: ({ tx_id }) => <TxLink id={tx_id} /> },
  { title: 'State', cell: ({ state, sponsoring }) => `${states[state] ?? state}${sponsoring ? ' (as sponsor)' : ''}` },
  { title: 'Fee', number: true, cell: ({ fee_rate }) => <Stx micro={fee_rate} /> },
];

/** The pending transactions of an account in the order of their nonces, and the nonces that are missing. */
export function NonceChainView({ chain: { pending, missing_nonces } }: { chain: NonceChain }) {
  return (
    <>
      {missing_nonces.length > 0 && (
        <Notice kind="warn">
          Nonce {missing_nonces.slice(0, 10).join(', ')} is missing: everything after it waits until it is sent.
        </Notice>
      )}
      <RowTable of={pending} caption="Pending transactions by nonce" columns={columns} keyOf={each => each.tx_id} />
    </>
  );
}
