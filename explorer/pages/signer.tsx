import { useApi } from '../api/loaded.ts';
import type { PoxSigner, SignerMetricsSigner } from '../api/schema.ts';
import { SignerCycles, useSignerMetrics, useSigners } from '../components/accounts/signer-cycles.tsx';
import { Bar } from '../components/bar.tsx';
import { Facts } from '../components/facts.tsx';
import { LoadedView } from '../components/loaded-view.tsx';
import { Empty } from '../components/message.tsx';
import { MoreList, nextByOffset } from '../components/more-list.tsx';
import { NotFound } from '../components/not-found.tsx';
import { PageTitle } from '../components/page-title.tsx';
import { RowTable } from '../components/row-table.tsx';
import { Section } from '../components/section.tsx';
import { Stx } from '../components/values/amount.tsx';
import { Hash } from '../components/values/hash.tsx';
import { Principal } from '../components/values/principal.tsx';
import { Time } from '../components/values/time.tsx';
import { Untrusted } from '../components/values/untrusted.tsx';
import { formatCount } from '../format/number.ts';
import { shorten } from '../format/shorten.ts';
import { chainRevision } from '../live/feed.ts';
import type { PageProps } from '../page.ts';
import { currentUrl } from '../router.ts';
import { answersOf, signerIn } from '../words/signer.ts';

const SHOWN_CYCLES = 6;

export function Page({ parameter }: PageProps) {
  const cycles = useApi('/extended/v2/pox/cycles', { limit: SHOWN_CYCLES }, chainRevision);
  const numbers = cycles.state === 'ready' ? cycles.data.results.map(cycle => cycle.cycle_number) : [];
  const asked = currentUrl.value.query.get('cycle');
  const cycle = asked !== null && /^\d{1,9}$/.test(asked) ? Number(asked) : numbers[0];
  const signers = useSigners(cycle);
  if (cycles.state !== 'ready' || cycle === undefined) {
    return <LoadedView of={cycles}>{() => <Missing of={parameter} />}</LoadedView>;
  }
  return (
    <>
      <PageTitle kind="Signer" title={shorten(parameter)} />
      <p class="lead">
        Signers approve the blocks of a cycle. Each has the weight of what is stacked with it; a block needs 70 % of the
        weight.
      </p>
      <LoadedView of={signers} missing={<Missing of={parameter} />}>
        {({ results }) => {
          const signer = signerIn(results, parameter);
          return signer ? (
            <InCycle of={signer} cycle={cycle} />
          ) : (
            <Section title={`Cycle ${cycle}`}>
              <Empty>This is not a signer of the cycle.</Empty>
            </Section>
          );
        }}
      </LoadedView>
      <Section title="By cycle, newest first">
        <SignerCycles signer={parameter} cycles={numbers} />
      </Section>
    </>
  );
}

const Missing = ({ of }: { of: string }) => (
  <NotFound
    kind="Signer"
    what={of}
    hints={[
      'A signer is named by its key of 66 hex digits, or by the address of the key.',
      'The cycle may have no signers yet.',
    ]}
  />
);

function InCycle({ of, cycle }: { of: PoxSigner; cycle: number }) {
  const metrics = useSignerMetrics(cycle);
  const answered =
    metrics.state === 'ready'
      ? metrics.data.results.find(({ signer_key }) => signer_key === of.signing_key)
      : undefined;
  return (
    <>
      <div class="columns two">
        <Section title={`In cycle ${cycle}`}>
          <Facts
            of={[
              ['Address of its key', <Principal key="address" of={of.signer_address} whole copy />],
              ['Key', <Hash key="key" value={of.signing_key} whole copy />],
              ['Weight', `${formatCount(of.weight)} votes, ${of.weight_percent.toFixed(1)} % of all`],
              ['Stacked with it', <Stx key="stacked" micro={of.stacked_amount} />],
              answered && ['Rank', `${formatCount(answered.stacked_amount_rank)} by what is stacked`],
            ]}
          />
        </Section>
        <Section title="How it answers proposals">
          <LoadedView of={metrics}>{() => (answered ? <Answers of={answered} /> : <Unknown />)}</LoadedView>
        </Section>
      </div>
      <Section title={`Who stacks with it in cycle ${cycle}`}>
        <Stackers of={of} cycle={cycle} />
      </Section>
    </>
  );
}

const Unknown = () => <Empty>Nothing is known: this server received no messages of signers in this cycle.</Empty>;

function Answers({ of }: { of: SignerMetricsSigner }) {
  const answers = answersOf(of);
  if (!answers) return <Unknown />;
  return (
    <>
      {answers.map(({ word, count, percent }) => (
        <Bar
          key={word}
          label={word}
          part={percent}
          whole={100}
          text={`${formatCount(count)} · ${percent.toFixed(1)} %`}
        />
      ))}
      <Facts
        of={[
          (of.average_response_time_ms ?? 0) > 0 && [
            'Answers after',
            `${formatCount(Math.round(of.average_response_time_ms!))} ms on average`,
          ],
          of.last_seen !== null && ['Last answer', <Time key="seen" seconds={Date.parse(of.last_seen) / 1000} />],
          of.version !== null &&
            of.version !== '' && ['Program', <Untrusted key="version" text={of.version} max={80} />],
        ]}
      />
    </>
  );
}

function Stackers({ of, cycle }: { of: PoxSigner; cycle: number }) {
  return (
    <MoreList
      path="/extended/v2/pox/cycles/{cycle_number}/signers/{signer_key}/stackers"
      parameters={{ cycle_number: cycle, signer_key: of.signing_key, limit: 20 }}
      next={nextByOffset}
      empty="The contract of this cycle does not tell."
    >
      {stackers => (
        <RowTable
          of={stackers}
          caption="Stackers of the signer, the largest amount first"
          keyOf={stacker => `${stacker.stacker_address} ${stacker.pox_address} ${stacker.stacker_type}`}
          columns={[
            { title: 'Stacker', cell: stacker => <Principal of={stacker.stacker_address} /> },
            { title: 'Amount', number: true, side: true, cell: stacker => <Stx micro={stacker.stacked_amount} /> },
            {
              title: 'Stacks',
              minor: true,
              cell: stacker => (stacker.stacker_type === 'pooled' ? 'through a pool' : 'on its own'),
            },
          ]}
        />
      )}
    </MoreList>
  );
}
