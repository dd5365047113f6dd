import { useSignalEffect } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import { request } from './api/client.ts';
import { Failure, Pending } from './components/message.tsx';
import { SiteFooter } from './components/site/site-footer.tsx';
import { SiteHeader } from './components/site/site-header.tsx';
import { reconnections } from './live/feed.ts';
import type { PageModule } from './page.ts';
import { NoPage } from './pages/no-page.tsx';
import { currentUrl } from './router.ts';
import { type Match, matchRoute } from './routes.ts';

export function App() {
  const { path } = currentUrl.value;
  const match = matchRoute(path);
  return (
    <>
      <a class="skip" href="#main">
        Skip to content
      </a>
      <SiteHeader />
      <main id="main" tabIndex={-1}>
        {match ? <LazyPage match={match} path={path} /> : <NoPage path={path} />}
      </main>
      <SiteFooter />
    </>
  );
}

type Shown = { pattern: string; module?: PageModule; failed?: boolean };

/** Loads the code of a page when it is first opened. */
function LazyPage({ match, path }: { match: Match; path: string }) {
  const { pattern, load, parameter } = match;
  const [shown, setShown] = useState<Shown>({ pattern });
  useEffect(() => {
    let left = false;
    load().then(
      module => !left && setShown({ pattern, module }),
      () => {
        if (!failedAt.has(pattern)) failedAt.set(pattern, reconnections.peek());
        if (!left) setShown({ pattern, failed: true });
      },
    );
    return () => {
      left = true;
    };
  }, [pattern, load]);
  useFocusOnChange(path);
  if (shown.pattern !== pattern) return <Pending />;
  if (shown.failed) return <LoadFailure pattern={pattern} />;
  if (!shown.module) return <Pending />;
  const { Page } = shown.module;
  return <Page key={path} parameter={parameter} />;
}

/** How many connections were lost before the code of a page did not arrive, by pattern. */
const failedAt = new Map<string, number>();

/**
 * The code of a page did not arrive. Browsers do not request it again, so the document is loaded anew when the server
 * responds again.
 */
function LoadFailure({ pattern }: { pattern: string }) {
  useSignalEffect(() => {
    if (reconnections.value > failedAt.get(pattern)!) location.reload();
  });
  const retry = () => {
    request('/extended').then(
      () => location.reload(),
      () => {}, // the server still does not respond, and the page says so already
    );
  };
  return (
    <Failure
      message="This part of the explorer could not be loaded. The server may be stopped, or the network may be down."
      retry={retry}
    />
  );
}

/** Moves the focus to the content when another page opens, so that a screen reader announces it. */
function useFocusOnChange(path: string): void {
  const before = useRef(path);
  useEffect(() => {
    if (before.current === path) return;
    before.current = path;
    document.getElementById('main')?.focus({ preventScroll: true });
  }, [path]);
}
