import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

type Props = { title: string; aside?: ComponentChildren; children: ComponentChildren; id?: string };

/** A titled part of a page. */
export function Section({ title, aside, children, id }: Props) {
  const own = useId();
  const heading = id ?? own;
  return (
    <section class="card" aria-labelledby={heading}>
      <header>
        <h2 id={heading}>{title}</h2>
        {aside && <div class="aside">{aside}</div>}
      </header>
      {children}
    </section>
  );
}
