import { useApi } from '../../api/loaded.ts';
import { formatDuration } from '../../format/time.ts';
import { mempoolRevision } from '../../live/feed.ts';
import { TxLink } from '../values/links.tsx';
import { Untrusted } from '../values/untrusted.tsx';

/** Why a transaction is where it is: what it waits for, or why it failed. */
export function Diagnosis({ id, pending }: { id: string; pending: boolean }) {
  const diagnosis = useApi('/extended/v1/tx/{tx_id}/diagnosis', { tx_id: id }, mempoolRevision);
  if (diagnosis.state !== 'ready') return null;
  const { summary, reasons, fee, expires } = diagnosis.data;
  const repeated = reasons.length === 1 && reasons[0]!.message === summary;
  return (
    <div class="diagnosis">
      <h3>{pending ? 'Why it waits' : 'Why'}</h3>
      <p>
        <Untrusted text={summary} />
      </p>
      <ul hidden={repeated}>
        {reasons.map(({ code, message, blocking, tx_ids = [] }) => (
          <li key={code} class={blocking ? 'blocking' : undefined}>
            <Untrusted text={message} />{' '}
            {tx_ids.slice(0, 5).map(other => (
              <TxLink key={other} id={other} />
            ))}
          </li>
        ))}
      </ul>
      {fee?.percentile != null && (
        <p class="soft">
          Its fee rate is higher than that of {fee.percentile} % of {fee.compared_with} pending transactions.
        </p>
      )}
      {expires?.seconds_left != null && (
        <p class="soft">Nodes drop it in about {formatDuration(expires.seconds_left)} if no miner takes it.</p>
      )}
    </div>
  );
}
