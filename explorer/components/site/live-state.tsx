import { type LiveState, liveState } from '../../live/feed.ts';

const words: Readonly<Record<LiveState, { label: string; meaning: string }>> = {
  connecting: { label: 'Connecting', meaning: 'The page connects to the server.' },
  live: { label: 'Live', meaning: 'Changes appear as they happen.' },
  behind: { label: 'Behind', meaning: 'The server has received events that it has not worked through yet.' },
  reconnecting: { label: 'Reconnecting', meaning: 'The connection was lost. What is shown may be old.' },
};

/** Whether what is shown follows the chain. */
export function LiveIndicator() {
  const state = liveState.value;
  return (
    <span class={`live ${state}`} role="status" title={words[state].meaning}>
      <span class="dot" aria-hidden="true" />
      {words[state].label}
    </span>
  );
}
