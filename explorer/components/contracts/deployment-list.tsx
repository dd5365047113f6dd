import type { Parameters } from '../../api/client.ts';
import type { SmartContractTransaction, Transaction } from '../../api/schema.ts';
import { chainRevision } from '../../live/feed.ts';
import { MoreList, nextByOffset } from '../more-list.tsx';
import { type Column, RowTable } from '../row-table.tsx';
import { StatusBadge } from '../values/badge.tsx';
import { BlockLink } from '../values/links.tsx';
import { Principal } from '../values/principal.tsx';
import { Time } from '../values/time.tsx';

const columns: readonly Column<SmartContractTransaction>[] = [
  {
    title: 'Contract',
    cell: tx => (
      <span class="stack">
        <Principal of={tx.smart_contract.contract_id} />
        {tx.tx_status !== 'success' && <StatusBadge status={tx.tx_status} />}
      </span>
    ),
  },
  { title: 'Block', number: true, minor: true, cell: tx => <BlockLink height={tx.block_height} /> },
  { title: 'Deployed', number: true, side: true, cell: tx => <Time seconds={tx.block_time} /> },
];

const isDeployment = (tx: Transaction): tx is SmartContractTransaction => tx.tx_type === 'smart_contract';

/** Deployed contracts, newest first; of one account with `from_address`. */
export function DeploymentList({ parameters = {}, empty }: { parameters?: Parameters; empty: string }) {
  return (
    <MoreList
      path="/extended/v1/tx/"
      parameters={{ limit: 30, type: 'smart_contract', ...parameters }}
      revision={chainRevision}
      next={nextByOffset}
      empty={empty}
    >
      {transactions => (
        <RowTable
          of={transactions.filter(isDeployment)}
          caption="Deployed contracts, newest first"
          columns={columns}
          keyOf={tx => tx.tx_id}
        />
      )}
    </MoreList>
  );
}
