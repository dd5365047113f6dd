import { signal } from '@preact/signals';

const here = () => ({ path: location.pathname, query: new URLSearchParams(location.search), hash: location.hash });

/** The URL that the page shows. */
export const currentUrl = signal(here());

export function navigate(url: string, { replace = false } = {}): void {
  if (replace) history.replaceState(null, '', url);
  else history.pushState(null, '', url);
  const before = currentUrl.value.path;
  currentUrl.value = here();
  if (!replace && currentUrl.value.path !== before) scrollTo(0, 0);
}

/** Replaces some values of the query, so that the state of a page has a URL. */
export function setQuery(values: Record<string, string | undefined>): void {
  const { path, query, hash } = currentUrl.value;
  const next = new URLSearchParams(query);
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined || value === '') next.delete(name);
    else next.set(name, value);
  }
  navigate(`${path}${next.size > 0 ? `?${next}` : ''}${hash}`, { replace: true });
}

/** Follows links to pages without loading the document again; all other links stay with the browser. */
export function startRouter(isPage: (path: string) => boolean): void {
  addEventListener('popstate', () => {
    currentUrl.value = here();
  });
  document.addEventListener('click', event => {
    if (
      event.defaultPrevented ||
      event.button !== 0 ||
      event.metaKey ||
      event.ctrlKey ||
      event.shiftKey ||
      event.altKey
    )
      return;
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (link?.target !== '' || link.hasAttribute('download') || link.origin !== location.origin) return;
    if (link.hash !== '' && link.pathname === location.pathname && link.search === location.search) return;
    if (!isPage(link.pathname)) return;
    event.preventDefault();
    navigate(link.pathname + link.search + link.hash);
  });
}
