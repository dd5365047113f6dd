import { PageTitle } from './page-title.tsx';
import { Untrusted } from './values/untrusted.tsx';

/** Something of the right form that the server does not know, and where it might still be. */
export function NotFound({ kind, what, hints }: { kind: string; what: string; hints: readonly string[] }) {
  return (
    <>
      <PageTitle kind={kind} title="not found" />
      <div class="notice info">
        <p class="break">
          <Untrusted text={what} max={300} />
        </p>
        <p>This server does not know it.</p>
        <ul>
          {hints.map(hint => (
            <li key={hint}>{hint}</li>
          ))}
        </ul>
        <p>
          <a href={`/search?q=${encodeURIComponent(what.slice(0, 400))}`}>Search for it</a>
        </p>
      </div>
    </>
  );
}
