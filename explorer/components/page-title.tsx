import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';

type Props = { kind?: string; title: string; children?: ComponentChildren; aside?: ComponentChildren };

/** The heading of a page, which is also the title of the document. */
export function PageTitle({ kind, title, children, aside }: Props) {
  useEffect(() => {
    document.title = `${kind ? `${kind} ` : ''}${title} · Cairn`;
  }, [kind, title]);
  return (
    <div class="page-title">
      <h1>
        {kind && <span class="kind">{kind}</span>} {children ?? title}
      </h1>
      {aside}
    </div>
  );
}
