import { render } from 'preact';
import { App } from './app.tsx';
import { startFocusKeeper } from './components/site/focus.ts';
import { startFeed } from './live/feed.ts';
import { startRouter } from './router.ts';
import { matchRoute } from './routes.ts';
import { applyTheme } from './theme.ts';

applyTheme();
startRouter(path => matchRoute(path) !== undefined);
startFocusKeeper();
startFeed();
render(<App />, document.getElementById('app')!);
