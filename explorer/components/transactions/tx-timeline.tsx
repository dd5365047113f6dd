import { useApi } from '../../api/loaded.ts';
import type { MempoolTransaction, Transaction } from '../../api/schema.ts';
import { counted } from '../../format/number.ts';
import { formatDuration } from '../../format/time.ts';
import { seenBlocks } from '../../live/feed.ts';
import { statusWords } from '../../words/status.ts';
import { BlockLink, BurnBlockLink, TxLink } from '../values/links.tsx';
import { Time } from '../values/time.tsx';

export const isMined = (tx: Transaction | MempoolTransaction): tx is Transaction => 'block_hash' in tx;

/** When this server first saw a mined transaction, and how long it waited. */
function Broadcast({ tx }: { tx: Transaction }) {
  const diagnosis = useApi('/extended/v1/tx/{tx_id}/diagnosis', { tx_id: tx.tx_id });
  const received = diagnosis.state === 'ready' ? diagnosis.data.receipt_time : undefined;
  const waited = received === undefined ? 0 : tx.block_time - received;
  return (
    <li class="done">
      <b>Broadcast</b>{' '}
      {received === undefined && (
        <span class="soft">before its block was made; this server did not see it waiting.</span>
      )}
      {received !== undefined && waited < 0 && <span class="soft">while its block was being made.</span>}
      {received !== undefined && waited >= 0 && (
        <>
          <Time seconds={received} exact />
          {waited > 0 && <div class="soft">It waited {formatDuration(waited)} for a block.</div>}
        </>
      )}
    </li>
  );
}

/** The life of a transaction: broadcast, waiting, in a block or dropped, and how deep it is. */
export function TxTimeline({ tx }: { tx: Transaction | MempoolTransaction }) {
  const tip = seenBlocks.value.find(block => block.canonical);
  if (!isMined(tx)) {
    const pending = tx.tx_status === 'pending';
    return (
      <ol class="timeline">
        <li class="done">
          <b>Broadcast</b> <Time seconds={tx.receipt_time} exact />
        </li>
        {pending ? (
          <li class="now">
            <b>Pending</b> It waits in the mempool for a miner to put it into a block. This page follows it.
          </li>
        ) : (
          <li class="failed">
            <b>{statusWords(tx.tx_status).label}</b> {statusWords(tx.tx_status).meaning}{' '}
            {tx.replaced_by_tx_id && (
              <>
                The replacement is <TxLink id={tx.replaced_by_tx_id} />.
              </>
            )}
          </li>
        )}
        {pending && (
          <li class="later">
            <b>Confirmed</b> Not yet
          </li>
        )}
      </ol>
    );
  }
  const depth = tip && tx.canonical ? Math.max(0, tip.height - tx.block_height) : undefined;
  const words = statusWords(tx.tx_status, tx.canonical);
  return (
    <ol class="timeline">
      {tx.tx_type !== 'coinbase' && tx.tx_type !== 'tenure_change' && <Broadcast tx={tx} />}
      <li class={words.kind === 'good' ? 'done' : 'failed'}>
        <b>{words.label}</b> in block{' '}
        <BlockLink height={tx.block_height} {...(!tx.canonical && { hash: tx.block_hash })} />{' '}
        <Time seconds={tx.block_time} exact />
        <div class="soft">{words.meaning}</div>
      </li>
      {depth !== undefined && (
        <li class={depth > 0 ? 'done' : 'now'}>
          <b>{depth === 0 ? 'Newest block' : `${counted(depth, 'block')} on top`}</b> Each block on top makes it harder
          to undo; the block is anchored to Bitcoin block <BurnBlockLink height={tx.burn_block_height} />.
        </li>
      )}
    </ol>
  );
}
