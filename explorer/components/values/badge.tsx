import { statusWords } from '../../words/status.ts';

/** The status of a transaction in words, with a color and a sign that does not depend on color. */
export function StatusBadge({ status, canonical = true }: { status: string; canonical?: boolean }) {
  const { label, kind, meaning } = statusWords(status, canonical);
  return (
    <span class={`badge ${kind}`} title={meaning}>
      {label}
    </span>
  );
}
