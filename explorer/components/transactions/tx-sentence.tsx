import type { ReadonlySignal } from '@preact/signals';
import { useApi } from '../../api/loaded.ts';
import type { TransactionSentencePart } from '../../api/schema.ts';
import { principalPage } from '../values/principal.tsx';

/** What a transaction did, in one sentence of plain words. */
export function TxSentence({ id, revision }: { id: string; revision: ReadonlySignal<number> }) {
  const summary = useApi('/extended/v1/tx/{tx_id}/summary', { tx_id: id }, revision);
  if (summary.state !== 'ready') return <p class="sentence" aria-hidden="true" />;
  return (
    <p class="sentence">
      {summary.data.parts.map((part, index) => (
        <Part key={index} of={part} />
      ))}
    </p>
  );
}

function Part({ of: { kind, text, id } }: { of: TransactionSentencePart }) {
  if (kind === 'principal' && id !== undefined)
    return (
      <a href={principalPage(id)} title={id}>
        {text}
      </a>
    );
  if (kind === 'amount' && id !== undefined && id !== 'stx')
    return (
      <a href={`/token/${encodeURIComponent(id)}`} title={id}>
        {text}
      </a>
    );
  return kind === 'amount' ? <b>{text}</b> : <>{text}</>;
}
