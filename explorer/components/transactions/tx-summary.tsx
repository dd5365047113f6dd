import type { MempoolTransactionSummary, TransactionSummary } from '../../api/schema.ts';
import { typeWords } from '../../words/transaction.ts';
import { Stx } from '../values/amount.tsx';
import { Principal } from '../values/principal.tsx';
import { Untrusted } from '../values/untrusted.tsx';

/** What a transaction does, in one line. */
export function TxSummary({ tx }: { tx: TransactionSummary | MempoolTransactionSummary }) {
  switch (tx.type) {
    case 'token_transfer':
      return (
        <span>
          <Stx micro={tx.token_transfer.amount} /> to <Principal of={tx.token_transfer.recipient} />
        </span>
      );
    case 'contract_call':
      return (
        <span>
          <b>
            <Untrusted text={tx.contract_call.function_name} />
          </b>{' '}
          of <Principal of={tx.contract_call.contract_id} />
        </span>
      );
    case 'smart_contract':
      return (
        <span>
          <Principal of={tx.smart_contract.contract_id} />
        </span>
      );
    default:
      return <span>{typeWords(tx.type)}</span>;
  }
}
