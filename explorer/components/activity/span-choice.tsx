import { type Span, spans } from '../../charts/spans.ts';
import { setQuery } from '../../router.ts';

/** Chooses how far back charts look. The choice is part of the address. */
export function SpanChoice({ span }: { span: Span }) {
  return (
    <label>
      Show{' '}
      <select value={span.id} onChange={event => setQuery({ span: event.currentTarget.value })}>
        {spans.map(({ id, label }) => (
          <option key={id} value={id}>
            {label}
          </option>
        ))}
      </select>
    </label>
  );
}
