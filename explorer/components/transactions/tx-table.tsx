import type { ComponentChildren } from 'preact';
import type { MempoolTransactionSummary, TransactionSummary } from '../../api/schema.ts';
import { typeWords } from '../../words/transaction.ts';
import { Stx } from '../values/amount.tsx';
import { StatusBadge } from '../values/badge.tsx';
import { BlockLink, TxLink } from '../values/links.tsx';
import { Principal } from '../values/principal.tsx';
import { Time } from '../values/time.tsx';
import { TxSummary } from './tx-summary.tsx';

export type AnySummary = TransactionSummary | MempoolTransactionSummary;
type Extra = { title: string; cell: (tx: AnySummary) => ComponentChildren };

const timeOf = (tx: AnySummary) => ('block' in tx ? tx.block.time : tx.receipt_time);

/** Transactions as a table; on a phone each row is a small card. */
export function TxTable({ of, caption, extra }: { of: readonly AnySummary[]; caption: string; extra?: Extra }) {
  return (
    <table class="rows">
      <caption class="sr-only">{caption}</caption>
      <thead>
        <tr>
          <th scope="col">Transaction</th>
          <th scope="col">What</th>
          <th scope="col">From</th>
          {extra && <th scope="col">{extra.title}</th>}
          <th scope="col" class="number">
            Fee
          </th>
          <th scope="col" class="number">
            When
          </th>
        </tr>
      </thead>
      <tbody>
        {of.map(tx => (
          <tr key={tx.tx_id}>
            <td data-label="Transaction">
              <span class="stack">
                <TxLink id={tx.tx_id} />
                <span class="soft">
                  {typeWords(tx.type)} <StatusBadge status={tx.status} />
                </span>
              </span>
            </td>
            <td data-label="What">
              <TxSummary tx={tx} />
            </td>
            <td data-label="From">
              <Principal of={tx.sender.address} />
            </td>
            {extra && <td data-label={extra.title}>{extra.cell(tx)}</td>}
            <td data-label="Fee" class="number">
              <Stx micro={tx.fee_rate} />
            </td>
            <td data-label="When" class="number">
              <span class="stack">
                <Time seconds={timeOf(tx)} />
                {'block' in tx && (
                  <span class="soft">
                    block <BlockLink height={tx.block.height} />
                  </span>
                )}
              </span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
