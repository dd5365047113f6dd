import { useEffect, useState } from 'preact/hooks';
import { highlight, type Token } from '../../clarity/highlight.ts';
import { counted, formatBytes } from '../../format/number.ts';
import { currentUrl } from '../../router.ts';
import { CopyButton } from '../values/copy-button.tsx';
import { Untrusted } from '../values/untrusted.tsx';

/** More than this is shown as plain text: coloring it would block the page. */
const MAX_COLORED = 200_000;
const FIRST_LINES = 400;

/** Source code with colors; each line has a number that links to it (`#L12`). */
export function Source({ text }: { text: string }) {
  const [all, setAll] = useState(false);
  const { hash } = currentUrl.value;
  const lines: Token[][] =
    text.length <= MAX_COLORED ? highlight(text) : text.split('\n').map(line => [{ kind: 'plain', text: line }]);
  const target = Number(/^#L(\d+)$/.exec(hash)?.[1] ?? 0);
  const shown = all || target > FIRST_LINES ? lines : lines.slice(0, FIRST_LINES);
  useEffect(() => {
    if (target > 0) document.getElementById(`L${target}`)?.scrollIntoView({ block: 'center' });
  }, [target]);
  return (
    <div class="source">
      <p class="soft">
        {counted(lines.length, 'line')}, {formatBytes(new TextEncoder().encode(text).length)}{' '}
        <CopyButton text={text} label="Copy the source" />
      </p>
      <pre>
        {shown.map((line, index) => {
          const number = index + 1;
          return (
            <div key={number} id={`L${number}`} class={number === target ? 'line target' : 'line'}>
              <a class="line-number" href={`#L${number}`} aria-label={`Line ${number}`}>
                {number}
              </a>
              <code>
                {line.map((part, position) => (
                  <span key={position} class={part.kind === 'plain' ? undefined : `token-${part.kind}`}>
                    <Untrusted text={part.text} max={5000} />
                  </span>
                ))}
              </code>
            </div>
          );
        })}
      </pre>
      {shown.length < lines.length && (
        <button type="button" onClick={() => setAll(true)}>
          Show all {counted(lines.length, 'line')}
        </button>
      )}
    </div>
  );
}
