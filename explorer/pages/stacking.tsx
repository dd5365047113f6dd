import { useApi } from '../api/loaded.ts';
import type { NodePox, PoxCycle, SchedulePoint } from '../api/schema.ts';
import { type Pace, timeAt } from '../chain/pace.ts';
import { CycleRing } from '../charts/cycle-ring.tsx';
import { SignerList } from '../components/accounts/signer-list.tsx';
import { Facts } from '../components/facts.tsx';
import { LoadedView } from '../components/loaded-view.tsx';
import { MoreList, nextByOffset } from '../components/more-list.tsx';
import { PageTitle } from '../components/page-title.tsx';
import { type Column, RowTable } from '../components/row-table.tsx';
import { Section } from '../components/section.tsx';
import { Stx } from '../components/values/amount.tsx';
import { BurnBlockLink } from '../components/values/links.tsx';
import { Time } from '../components/values/time.tsx';
import { cyclePosition } from '../format/cycle.ts';
import { counted, formatCount } from '../format/number.ts';
import { formatDuration } from '../format/time.ts';
import { chainRevision } from '../live/feed.ts';
import { useBitcoinPace } from '../live/pace.ts';
import { currentUrl } from '../router.ts';

const cycleColumns: readonly Column<PoxCycle>[] = [
  {
    title: 'Cycle',
    cell: ({ cycle_number: cycle }) => <a href={`/stacking?cycle=${cycle}`}>{cycle}</a>,
  },
  { title: 'Signers', number: true, cell: cycle => formatCount(cycle.total_signers) },
  { title: 'Stacked', number: true, cell: cycle => <Stx micro={cycle.total_stacked_amount} /> },
  { title: 'Weight', number: true, cell: cycle => formatCount(cycle.total_weight) },
];

export function Page() {
  const pox = useApi('/v2/pox', {}, chainRevision);
  return (
    <>
      <PageTitle title="Stacking" />
      <p class="lead">
        Holders lock STX for whole reward cycles. They earn bitcoin for it, and their signers approve the blocks of the
        cycle.
      </p>
      <LoadedView of={pox}>{data => <Now pox={data} />}</LoadedView>
      <Section title="Cycles">
        <MoreList
          path="/extended/v2/pox/cycles"
          parameters={{ limit: 20 }}
          revision={chainRevision}
          next={nextByOffset}
          empty="No cycle has signers yet."
        >
          {cycles => (
            <RowTable
              of={cycles}
              caption="Reward cycles, newest first"
              columns={cycleColumns}
              keyOf={cycle => cycle.cycle_number}
            />
          )}
        </MoreList>
      </Section>
    </>
  );
}

function Now({ pox }: { pox: NodePox }) {
  const position = cyclePosition(pox);
  const schedule = useApi(
    '/extended/v3/staking/cycles/{cycle_number}',
    { cycle_number: position.cycle },
    chainRevision,
  );
  const times = schedule.state === 'ready' ? schedule.data.schedule : undefined;
  const pace = useBitcoinPace();
  const asked = currentUrl.value.query.get('cycle');
  const cycle = asked !== null && /^\d+$/.test(asked) ? Number(asked) : position.cycle;
  return (
    <>
      <Section title="The cycle now">
        <div class="ring-row">
          <CycleRing of={position} />
          <Facts
            of={[
              [
                'Phase',
                position.phase === 'reward'
                  ? 'Reward: bitcoin is paid to those who stack'
                  : 'Prepare: the signers of the next cycle are chosen',
              ],
              ['Began at', <Moment key="start" height={position.startsAt} at={times?.start} pace={pace} />],
              [
                'Prepare phase from',
                <Moment key="prepare" height={position.prepareAt} at={times?.prepare_phase_start} pace={pace} />,
              ],
              ['Ends with', <Moment key="end" height={position.endsAt - 1} at={times?.end} pace={pace} />],
              [
                'Stacked',
                <span key="stacked">
                  <Stx micro={pox.current_cycle.stacked_ustx} />{' '}
                  <span class="soft">(all that is locked; signers below have what reached the minimum of a slot)</span>
                </span>,
              ],
              ['Least amount to stack', <Stx key="least" micro={pox.min_amount_ustx} />],
            ]}
          />
        </div>
        {pace && (
          <p class="soft">
            Times ahead are projected: the last {counted(pace.blocks, 'Bitcoin block')} took{' '}
            {formatDuration(pace.secondsPerBlock)} each on average.
          </p>
        )}
      </Section>
      <Section title={`Signers of cycle ${cycle}`}>
        <SignerList cycle={cycle} />
      </Section>
    </>
  );
}

type MomentProps = { height: number; at: SchedulePoint | undefined; pace: Pace | undefined };

/** A Bitcoin height with its time, which is projected from the pace of Bitcoin while it lies ahead. */
function Moment({ height, at, pace }: MomentProps) {
  const ahead = at?.time == null;
  const seconds = at?.time ?? (pace ? timeAt(pace, height) : undefined);
  return (
    <>
      Bitcoin block <BurnBlockLink height={height} />
      {seconds !== undefined && (
        <span class="soft">
          , {ahead && 'about '}
          <Time seconds={seconds} />
        </span>
      )}
    </>
  );
}
