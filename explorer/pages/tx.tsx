import { useApi } from '../api/loaded.ts';
import type { MempoolTransaction, Transaction } from '../api/schema.ts';
import { Facts } from '../components/facts.tsx';
import { LoadedView } from '../components/loaded-view.tsx';
import { Notice } from '../components/message.tsx';
import { NotFound } from '../components/not-found.tsx';
import { PageTitle } from '../components/page-title.tsx';
import { Section } from '../components/section.tsx';
import { AssetFlow } from '../components/transactions/asset-flow.tsx';
import { CostBars } from '../components/transactions/cost-bars.tsx';
import { Diagnosis } from '../components/transactions/diagnosis.tsx';
import { EventList } from '../components/transactions/event-list.tsx';
import { PostConditions } from '../components/transactions/post-conditions.tsx';
import { RawBytes } from '../components/transactions/raw-bytes.tsx';
import { TxPayload } from '../components/transactions/tx-payload.tsx';
import { TxSentence } from '../components/transactions/tx-sentence.tsx';
import { isMined, TxTimeline } from '../components/transactions/tx-timeline.tsx';
import { Stx } from '../components/values/amount.tsx';
import { StatusBadge } from '../components/values/badge.tsx';
import { ClarityValueView } from '../components/values/clarity-tree.tsx';
import { Hash } from '../components/values/hash.tsx';
import { BlockLink } from '../components/values/links.tsx';
import { Principal } from '../components/values/principal.tsx';
import { Untrusted } from '../components/values/untrusted.tsx';
import { counted, formatCount } from '../format/number.ts';
import { shorten } from '../format/shorten.ts';
import { mempoolRevision } from '../live/feed.ts';
import type { PageProps } from '../page.ts';
import { typeWords } from '../words/transaction.ts';

export function Page({ parameter }: PageProps) {
  const id = parameter.startsWith('0x') ? parameter : `0x${parameter}`;
  const tx = useApi('/extended/v1/tx/{tx_id}', { tx_id: id, event_limit: 100 }, mempoolRevision);
  const missing = (
    <NotFound
      kind="Transaction"
      what={parameter}
      hints={[
        'It may not have arrived yet. This page shows it as soon as it does.',
        'It may belong to another network.',
        'The hash may be that of a block.',
      ]}
    />
  );
  return (
    <LoadedView of={tx} missing={missing}>
      {data => <TxView tx={data} />}
    </LoadedView>
  );
}

function TxView({ tx }: { tx: Transaction | MempoolTransaction }) {
  const mined = isMined(tx);
  const short = tx.tx_type !== 'contract_call' && tx.tx_type !== 'smart_contract';
  const payload = (
    <Section title="What it asks for">
      <TxPayload tx={tx} />
    </Section>
  );
  return (
    <>
      <PageTitle
        kind={typeWords(tx.tx_type)}
        title={shorten(tx.tx_id)}
        aside={<StatusBadge status={tx.tx_status} canonical={!mined || tx.canonical} />}
      />
      <TxSentence id={tx.tx_id} revision={mempoolRevision} />
      {mined && !tx.canonical && (
        <Notice kind="warn">
          The block of this transaction is orphaned: a fork replaced it. The transaction may be confirmed again in
          another block; the chain now has <BlockLink height={tx.block_height} /> at its height.
        </Notice>
      )}
      <div class="columns two">
        <Section title="Its life">
          <TxTimeline tx={tx} />
          {(!mined || tx.tx_status !== 'success') && <Diagnosis id={tx.tx_id} pending={tx.tx_status === 'pending'} />}
        </Section>
        <div class="stacked">
          <Section title="Who sent it">
            <Facts
              of={[
                ['Id', <Hash key="id" value={tx.tx_id} whole copy />],
                ['Sender', <Principal key="sender" of={tx.sender_address} whole copy />],
                [
                  'Nonce',
                  <span key="nonce">
                    {formatCount(tx.nonce)}{' '}
                    <span class="soft">(transactions of its sender are numbered from 0 and mined in this order)</span>
                  </span>,
                ],
                tx.sponsor_address !== undefined && [
                  'Fee paid by',
                  <Principal key="sponsor" of={tx.sponsor_address} whole copy />,
                ],
                [
                  'Fee',
                  <span key="fee">
                    <Stx micro={tx.fee_rate} /> <span class="soft">(to the miner, whether it succeeds or fails)</span>
                  </span>,
                ],
              ]}
            />
          </Section>
          {short && payload}
        </div>
      </div>
      {!short && payload}
      {mined && tx.event_count > 0 && (
        <Section title="What it moved">
          <AssetFlow events={tx.events} />
        </Section>
      )}
      {(tx.tx_type === 'contract_call' || tx.tx_type === 'smart_contract' || tx.post_conditions.length > 0) && (
        <Section title="What its sender allowed">
          <PostConditions mode={tx.post_condition_mode} of={tx.post_conditions} />
        </Section>
      )}
      {mined && !ofMiner(tx) && tx.tx_type !== 'token_transfer' && <Outcome tx={tx} />}
      {mined && tx.event_count > 0 && (
        <Section title={counted(tx.event_count, 'event')}>
          <EventList of={tx.events} total={tx.event_count} />
        </Section>
      )}
      <details class="card">
        <summary>
          <h2>Raw bytes</h2>
        </summary>
        <RawBytes id={tx.tx_id} />
      </details>
    </>
  );
}

/** Miners put these into their blocks themselves: nobody broadcasts them, and they limit nothing. */
const ofMiner = (tx: Transaction | MempoolTransaction) => tx.tx_type === 'coinbase' || tx.tx_type === 'tenure_change';

function Outcome({ tx }: { tx: Transaction }) {
  const worked = tx.execution_cost_runtime > 0 || tx.execution_cost_read_count > 0;
  return (
    <Section title="Result and cost" aside={worked && 'against what a miner may compute in one turn'}>
      <Facts
        of={[
          ['Result', <ClarityValueView key="result" repr={tx.tx_result.repr} />],
          tx.vm_error !== null && ['Error', <Untrusted key="error" text={tx.vm_error} />],
        ]}
      />
      {!worked && <p class="soft">It ran no contract, so it used nothing of what a block may compute.</p>}
      {worked && (
        <CostBars
          cost={{
            runtime: tx.execution_cost_runtime,
            read_count: tx.execution_cost_read_count,
            read_length: tx.execution_cost_read_length,
            write_count: tx.execution_cost_write_count,
            write_length: tx.execution_cost_write_length,
          }}
          burnHeight={tx.burn_block_height}
        />
      )}
    </Section>
  );
}
