import type { MempoolTransaction, Transaction } from '../../api/schema.ts';
import { memoText } from '../../format/bytes.ts';
import { causeWords } from '../../words/transaction.ts';
import { Source } from '../contracts/source.tsx';
import { Facts } from '../facts.tsx';
import { Stx } from '../values/amount.tsx';
import { ClarityValueView } from '../values/clarity-tree.tsx';
import { Hash } from '../values/hash.tsx';
import { Principal } from '../values/principal.tsx';
import { Untrusted } from '../values/untrusted.tsx';

/** What the transaction asks for, decoded. */
export function TxPayload({ tx }: { tx: Transaction | MempoolTransaction }) {
  switch (tx.tx_type) {
    case 'token_transfer': {
      const { amount, recipient_address, memo } = tx.token_transfer;
      const text = memoText(memo);
      return (
        <Facts
          of={[
            ['Amount', <Stx key="amount" micro={amount} />],
            ['To', <Principal key="to" of={recipient_address} whole copy />],
            text !== undefined && ['Memo', <Untrusted key="memo" text={text} />],
          ]}
        />
      );
    }
    case 'contract_call': {
      const { contract_id, function_name, function_args = [] } = tx.contract_call;
      return (
        <>
          <Facts
            of={[
              ['Contract', <Principal key="contract" of={contract_id} whole copy />],
              [
                'Function',
                <a key="function" href={`/contract/${contract_id}#${encodeURIComponent(function_name)}`}>
                  <Untrusted text={function_name} />
                </a>,
              ],
            ]}
          />
          {function_args.length > 0 && <Arguments of={function_args} />}
        </>
      );
    }
    case 'smart_contract': {
      const { contract_id, clarity_version, source_code } = tx.smart_contract;
      return (
        <>
          <Facts
            of={[
              ['Contract', <Principal key="contract" of={contract_id} whole copy />],
              clarity_version !== null && ['Clarity version', clarity_version],
            ]}
          />
          <details>
            <summary>Source code</summary>
            <Source text={source_code} />
          </details>
        </>
      );
    }
    case 'tenure_change': {
      const { cause, previous_tenure_blocks, tenure_consensus_hash, prev_tenure_consensus_hash } =
        tx.tenure_change_payload;
      return (
        <Facts
          of={[
            ['Why', causeWords(cause)],
            ['Blocks of the tenure before', previous_tenure_blocks],
            ['Tenure', <Hash key="tenure" value={tenure_consensus_hash} copy />],
            ['Tenure before', <Hash key="before" value={prev_tenure_consensus_hash} copy />],
          ]}
        />
      );
    }
    case 'coinbase': {
      const { data, alt_recipient } = tx.coinbase_payload;
      return (
        <Facts
          of={[
            ['Reward to', alt_recipient ? <Principal key="to" of={alt_recipient} whole copy /> : 'the miner'],
            ['Data', <Hash key="data" value={data} copy />],
          ]}
        />
      );
    }
    default:
      return <p class="empty">There is nothing to decode.</p>;
  }
}

function Arguments({ of }: { of: readonly { name: string; type: string; repr: string }[] }) {
  return (
    <table class="rows arguments">
      <caption>Arguments</caption>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Value</th>
          <th scope="col">Type</th>
        </tr>
      </thead>
      <tbody>
        {of.map(({ name, type, repr }, index) => (
          <tr key={index}>
            <td data-label="Name">{name === '' ? `#${index + 1}` : <Untrusted text={name} />}</td>
            <td data-label="Value">
              <ClarityValueView repr={repr} />
            </td>
            <td data-label="Type" class="soft">
              <Untrusted text={type} max={200} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
