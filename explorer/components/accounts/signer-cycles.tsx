import { useApi } from '../../api/loaded.ts';
import { counted, formatCount } from '../../format/number.ts';
import { chainRevision } from '../../live/feed.ts';
import { answersOf, signerIn } from '../../words/signer.ts';
import { Stx } from '../values/amount.tsx';

/** More signers than any cycle has. */
const ALL = 250;

export const useSigners = (cycle: number | undefined) =>
  useApi(cycle === undefined ? undefined : '/extended/v2/pox/cycles/{cycle_number}/signers', {
    cycle_number: cycle,
    limit: ALL,
  });

export const useSignerMetrics = (cycle: number) =>
  useApi('/signer-metrics/v1/cycles/{cycle_number}/signers', { cycle_number: cycle, limit: ALL }, chainRevision);

/** What a signer was in each cycle. */
export function SignerCycles({ signer, cycles }: { signer: string; cycles: readonly number[] }) {
  return (
    <table class="rows">
      <caption class="sr-only">The signer by cycle, newest first</caption>
      <thead>
        <tr>
          <th scope="col">Cycle</th>
          {['Weight', 'Stacked', 'Approved', 'Answered after'].map(title => (
            <th key={title} scope="col" class="number">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {cycles.map(cycle => (
          <Row key={cycle} signer={signer} cycle={cycle} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ signer, cycle }: { signer: string; cycle: number }) {
  const signers = useSigners(cycle);
  const metrics = useSignerMetrics(cycle);
  const found = signers.state === 'ready' ? signerIn(signers.data.results, signer) : undefined;
  const answered =
    found && metrics.state === 'ready'
      ? metrics.data.results.find(({ signer_key }) => signer_key === found.signing_key)
      : undefined;
  const answers = answered && answersOf(answered);
  const time = answered?.average_response_time_ms;
  return (
    <tr>
      <td data-label="Cycle">
        <a href={`/stacking?cycle=${cycle}`}>{formatCount(cycle)}</a>
      </td>
      <td data-label="Weight" class="number side">
        {found ? `${found.weight_percent.toFixed(1)} %` : signers.state === 'loading' ? '…' : 'no signer'}
      </td>
      <td data-label="Stacked" class="number minor">
        {found ? <Stx micro={found.stacked_amount} /> : '–'}
      </td>
      <td data-label="Approved" class="number minor">
        {answers ? `${formatCount(answers[0]!.count)} of ${counted(totalOf(answers), 'proposal')}` : '–'}
      </td>
      <td data-label="Answered after" class="number minor">
        {answers && time != null && time > 0 ? `${formatCount(Math.round(time))} ms` : '–'}
      </td>
    </tr>
  );
}

const totalOf = (answers: readonly { count: number }[]) => answers.reduce((sum, { count }) => sum + count, 0);
