import { useState } from 'preact/hooks';
import type { Parameters } from '../api/client.ts';
import { useApi } from '../api/loaded.ts';
import { AccountBalance } from '../components/accounts/account-balance.tsx';
import { TokenBalances } from '../components/accounts/token-balances.tsx';
import { ContractFunctions } from '../components/contracts/contract-functions.tsx';
import { ContractState } from '../components/contracts/contract-state.tsx';
import { Source } from '../components/contracts/source.tsx';
import { StandardBadges } from '../components/contracts/standard-badges.tsx';
import { Facts } from '../components/facts.tsx';
import { ListFilters, rangeFields, transactionFields } from '../components/list-filters.tsx';
import { LoadedView } from '../components/loaded-view.tsx';
import { Notice } from '../components/message.tsx';
import { MoreList, nextByCursor } from '../components/more-list.tsx';
import { NotFound } from '../components/not-found.tsx';
import { PageTitle } from '../components/page-title.tsx';
import { Section } from '../components/section.tsx';
import { EventText } from '../components/transactions/event-list.tsx';
import { TxTable } from '../components/transactions/tx-table.tsx';
import { CopyButton } from '../components/values/copy-button.tsx';
import { BlockLink, TxLink } from '../components/values/links.tsx';
import { Principal } from '../components/values/principal.tsx';
import { Untrusted } from '../components/values/untrusted.tsx';
import { readAbi } from '../contract/abi.ts';
import { counted } from '../format/number.ts';
import { chainRevision, mempoolRevision } from '../live/feed.ts';
import type { PageProps } from '../page.ts';

export function Page({ parameter: id }: PageProps) {
  const contract = useApi('/extended/v1/contract/{contract_id}', { contract_id: id }, chainRevision);
  const [deployer = '', name = ''] = id.split('.');
  const missing = (
    <NotFound
      kind="Contract"
      what={id}
      hints={[
        'It may not be deployed yet, or its deployment is still pending.',
        'It may be on another network. Names of contracts distinguish upper and lower case.',
      ]}
    />
  );
  return (
    <LoadedView of={contract} missing={missing}>
      {data => {
        const abi = readAbi(data.abi);
        return (
          <>
            <PageTitle kind="Contract" title={name}>
              <Untrusted text={name} /> {abi && <StandardBadges functions={abi.functions} />}
            </PageTitle>
            {!data.canonical && <Notice kind="warn">The deployment is orphaned: a fork replaced its block.</Notice>}
            <div class="columns two">
              <div class="stacked">
                <Section title="Deployment">
                  <Facts
                    of={[
                      [
                        'Id',
                        <span key="id" class="break">
                          <Untrusted text={id} /> <CopyButton text={id} label="Copy the id" />
                        </span>,
                      ],
                      ['Deployed by', <Principal key="by" of={deployer} copy />],
                      ['In block', <BlockLink key="block" height={data.block_height} />],
                      ['Transaction', <TxLink key="tx" id={data.tx_id} copy />],
                      data.clarity_version !== null && ['Clarity version', data.clarity_version],
                      abi !== undefined && [
                        'Tokens',
                        abi.tokens.length === 0 ? undefined : (
                          <span key="tokens">
                            {abi.tokens.map(token => (
                              <a key={token} href={`/token/${encodeURIComponent(`${id}::${token}`)}`}>
                                <Untrusted text={token} />{' '}
                              </a>
                            ))}
                          </span>
                        ),
                      ],
                    ]}
                  />
                </Section>
                <Section title="Tokens it holds">
                  <TokenBalances principal={id} />
                </Section>
              </div>
              <Holdings id={id} />
            </div>
            {abi && <ContractFunctions id={id} functions={abi.functions} />}
            {abi && <ContractState id={id} variables={abi.variables} maps={abi.maps} />}
            <Section title="Source code">
              <Source text={data.source_code} />
            </Section>
            <Calls id={id} />
            <Logs id={id} />
          </>
        );
      }}
    </LoadedView>
  );
}

function Holdings({ id }: { id: string }) {
  const balance = useApi('/extended/v3/principals/{principal}/balances/stx', { principal: id }, mempoolRevision);
  return balance.state === 'ready' ? <AccountBalance principal={id} now={balance.data} /> : null;
}

function Calls({ id }: { id: string }) {
  const [filter, setFilter] = useState<Parameters>({});
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <>
      <ListFilters of={transactionFields} about="Filters of the calls" onChange={setFilter} />
      <MoreList
        key={JSON.stringify(filter)}
        path="/extended/v3/principals/{principal}/transactions"
        parameters={{ principal: id, limit: 15, ...filter }}
        revision={chainRevision}
        next={nextByCursor}
        empty={isFiltered ? 'No transaction matches.' : 'Nobody has called this contract yet.'}
      >
        {(items, first) => (
          <Section title={`Called or touched by ${counted(first.total ?? items.length, 'transaction')}`}>
            <TxTable of={items.map(item => item.transaction)} caption="Transactions of the contract, newest first" />
          </Section>
        )}
      </MoreList>
    </>
  );
}

const logFields = [{ name: 'topic', label: 'Topic' }, { name: 'sender', label: 'Sender' }, ...rangeFields];

function Logs({ id }: { id: string }) {
  const [filter, setFilter] = useState<Parameters>({});
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <Section title="What it printed">
      <ListFilters of={logFields} about="Filters of the logs" onChange={setFilter} />
      <MoreList
        key={JSON.stringify(filter)}
        path="/extended/v2/smart-contracts/{contract_id}/logs"
        parameters={{ contract_id: id, limit: 15, ...filter }}
        revision={chainRevision}
        next={({ prev_cursor }) => (prev_cursor === null ? undefined : { cursor: prev_cursor })}
        empty={isFiltered ? 'No log matches.' : 'This contract has printed nothing.'}
      >
        {logs => (
          <ul class="events">
            {logs.map(log => (
              <li key={`${log.tx_id}${log.event_index}`}>
                <TxLink id={log.tx_id} /> <EventText event={log} open={false} />
              </li>
            ))}
          </ul>
        )}
      </MoreList>
    </Section>
  );
}
