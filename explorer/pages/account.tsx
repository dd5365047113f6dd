import { useState } from 'preact/hooks';
import { useCalled } from '../api/called.ts';
import type { Parameters } from '../api/client.ts';
import { useApi } from '../api/loaded.ts';
import { AccountBalance } from '../components/accounts/account-balance.tsx';
import { AccountPart, AccountTabs, shownTab } from '../components/accounts/account-tabs.tsx';
import { Gain } from '../components/accounts/gain.tsx';
import { NonceChainView } from '../components/accounts/nonce-chain.tsx';
import { ListFilters, transactionFields } from '../components/list-filters.tsx';
import { LoadedView } from '../components/loaded-view.tsx';
import { MoreList, nextByCursor } from '../components/more-list.tsx';
import { NotFound } from '../components/not-found.tsx';
import { PageTitle } from '../components/page-title.tsx';
import { Section } from '../components/section.tsx';
import { TxTable } from '../components/transactions/tx-table.tsx';
import { CopyButton } from '../components/values/copy-button.tsx';
import { CalledName } from '../components/values/principal.tsx';
import { networkOfAddress } from '../format/identify.ts';
import { counted, formatCount } from '../format/number.ts';
import { shortenPrincipal } from '../format/shorten.ts';
import { chainRevision, mempoolRevision } from '../live/feed.ts';
import type { PageProps } from '../page.ts';

export function Page({ parameter: principal }: PageProps) {
  const balance = useApi('/extended/v3/principals/{principal}/balances/stx', { principal }, mempoolRevision);
  const called = useCalled(principal);
  const tab = shownTab();
  const network = networkOfAddress(principal);
  const missing = (
    <NotFound
      kind="Account"
      what={principal}
      hints={[
        'An address has 28 to 41 letters and digits and ends with a checksum: one wrong letter makes it invalid.',
        network
          ? `It has the form of a ${network} address; this server may follow another network.`
          : 'It does not begin as an address does.',
      ]}
    />
  );
  return (
    <LoadedView of={balance} missing={missing}>
      {data => (
        <>
          <PageTitle kind="Account" title={shortenPrincipal(principal)}>
            {called && <CalledName label={called.label} name={called.label ?? called.name ?? ''} />}{' '}
            <span class={called ? 'address break' : 'break'}>{principal}</span>{' '}
            <CopyButton text={principal} label="Copy the address" />
          </PageTitle>
          <AccountBalance principal={principal} now={data} />
          <AccountTabs shown={tab} />
          {tab === 'activity' ? (
            <>
              <Pending principal={principal} />
              <Transactions principal={principal} />
            </>
          ) : (
            <AccountPart key={tab} tab={tab} principal={principal} />
          )}
        </>
      )}
    </LoadedView>
  );
}

function Pending({ principal }: { principal: string }) {
  const nonces = useApi('/extended/v1/address/{principal}/mempool/nonces', { principal }, mempoolRevision);
  if (nonces.state !== 'ready') return null;
  const { pending, next_nonce } = nonces.data;
  return (
    <Section title="Pending" aside={`Its next transaction has number (nonce) ${formatCount(next_nonce)}`}>
      {pending.length === 0 ? (
        <p class="empty">Nothing of this account is waiting.</p>
      ) : (
        <NonceChainView chain={nonces.data} />
      )}
    </Section>
  );
}

function Transactions({ principal }: { principal: string }) {
  const [filter, setFilter] = useState<Parameters>({});
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <>
      <ListFilters of={transactionFields} about="Filters of the transactions" onChange={setFilter} />
      <MoreList
        key={JSON.stringify(filter)}
        path="/extended/v3/principals/{principal}/transactions"
        parameters={{ principal, limit: 15, ...filter }}
        revision={chainRevision}
        next={nextByCursor}
        empty={isFiltered ? 'No confirmed transaction matches.' : 'This account has no confirmed transactions.'}
      >
        {(items, first) => {
          const byId = new Map(items.map(item => [item.transaction.tx_id, item]));
          return (
            <Section
              title={counted(first.total ?? items.length, 'confirmed transaction')}
              aside={
                <a href={`/extended/v1/history/transactions/${principal}`} download>
                  Download as CSV
                </a>
              }
            >
              <TxTable
                of={items.map(item => item.transaction)}
                caption="Confirmed transactions of the account, newest first"
                extra={{ title: 'Gained or lost', cell: tx => <Gain principal={principal} of={byId.get(tx.tx_id)!} /> }}
              />
            </Section>
          );
        }}
      </MoreList>
    </>
  );
}
