import type { NonceChain } from '../../api/schema.ts';
import { Notice } from '../message.tsx';
import { Stx } from '../values/amount.tsx';
import { TxLink } from '../values/links.tsx';

const states: Readonly<Record<string, string>> = {
  ready: 'can be mined now',
  waiting: 'waits for an earlier nonce',
  stale: 'its nonce is already used',
};

/** The pending transactions of an account in the order of their nonces, and the nonces that are missing. */
export function NonceChainView({ chain: { pending, missing_nonces } }: { chain: NonceChain }) {
  return (
    <>
      {missing_nonces.length > 0 && (
        <Notice kind="warn">
          Nonce {missing_nonces.slice(0, 10).join(', ')} is missing: everything after it waits until it is sent.
        </Notice>
      )}
      <table class="rows">
        <caption class="sr-only">Pending transactions by nonce</caption>
        <thead>
          <tr>
            <th scope="col">Nonce</th>
            <th scope="col">Transaction</th>
            <th scope="col">State</th>
            <th scope="col" class="number">
              Fee
            </th>
          </tr>
        </thead>
        <tbody>
          {pending.map(({ nonce, tx_id, state, fee_rate, sponsoring }) => (
            <tr key={tx_id}>
              <td data-label="Nonce">{nonce}</td>
              <td data-label="Transaction">
                <TxLink id={tx_id} />
              </td>
              <td data-label="State">
                {states[state] ?? state}
                {sponsoring ? ' (as sponsor)' : ''}
              </td>
              <td data-label="Fee" class="number">
                <Stx micro={fee_rate} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
