import type { ClarityValue } from '@cairn-stacks/codec/clarity/value';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { ClarityTree } from '../values/clarity-tree.tsx';
import { Untrusted } from '../values/untrusted.tsx';

type Props = { label: string; run: () => Promise<ClarityValue>; children?: ComponentChildren };
type State = { kind: 'idle' | 'busy' } | { kind: 'done'; value: ClarityValue } | { kind: 'failed'; message: string };

/** A form that asks a node for a value and shows it. */
export function ResultForm({ label, run, children }: Props) {
  const [state, setState] = useState<State>({ kind: 'idle' });
  const submit = async (event: Event) => {
    event.preventDefault();
    setState({ kind: 'busy' });
    try {
      setState({ kind: 'done', value: await run() });
    } catch (error) {
      setState({ kind: 'failed', message: error instanceof Error ? error.message : String(error) });
    }
  };
  return (
    <form class="call" onSubmit={submit}>
      {children}
      <button type="submit" disabled={state.kind === 'busy'}>
        {label}
      </button>
      <div class="result" aria-live="polite">
        {state.kind === 'done' && <ClarityTree value={state.value} />}
        {state.kind === 'failed' && (
          <span class="loss">
            <Untrusted text={state.message} max={500} />
          </span>
        )}
      </div>
    </form>
  );
}
