import { render } from 'preact';
import { App } from './app.tsx';
import { startFeed } from './live/feed.ts';
import { startRouter } from './router.ts';
import { applyTheme } from './theme.ts';

applyTheme();
startRouter();
startFeed();
render(<App />, document.getElementById('app')!);
