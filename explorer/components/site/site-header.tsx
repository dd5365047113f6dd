import { useState } from 'preact/hooks';
import { currentUrl } from '../../router.ts';
import { LiveIndicator } from './live-state.tsx';
import { NetworkBadge } from './network-badge.tsx';
import { SearchBox } from './search-box.tsx';
import { ThemeToggle } from './theme-toggle.tsx';

const pages = [
  ['/blocks', 'Blocks'],
  ['/transactions', 'Transactions'],
  ['/mempool', 'Mempool'],
  ['/tokens', 'Tokens'],
  ['/collections', 'Collections'],
  ['/contracts', 'Contracts'],
  ['/stacking', 'Stacking'],
  ['/sbtc', 'sBTC'],
  ['/names', 'Names'],
  ['/status', 'Status'],
  ['/docs', 'API'],
] as const;

export function SiteHeader() {
  const { path } = currentUrl.value;
  // On a phone the pages are behind a button, so that the header is one line.
  const [open, setOpen] = useState(false);
  return (
    <header class="site-header">
      <div class="bar">
        <a class="brand" href="/">
          <svg viewBox="0 0 32 32" width="26" height="26" aria-hidden="true">
            <ellipse cx="16" cy="25" rx="12" ry="4.5" />
            <ellipse cx="16" cy="16.5" rx="8.5" ry="4" />
            <ellipse cx="16" cy="9" rx="5.5" ry="3.2" />
          </svg>
          Cairn
        </a>
        <NetworkBadge />
        <SearchBox />
        <LiveIndicator />
        <ThemeToggle />
        <button
          type="button"
          class="menu"
          aria-expanded={open}
          aria-controls="pages"
          aria-label="Pages"
          onClick={() => setOpen(!open)}
        >
          ☰
        </button>
      </div>
      <nav id="pages" aria-label="Pages" class={open ? 'open' : undefined}>
        {pages.map(([href, label]) => (
          <a key={href} href={href} aria-current={path === href ? 'page' : undefined} onClick={() => setOpen(false)}>
            {label}
          </a>
        ))}
      </nav>
    </header>
  );
}
