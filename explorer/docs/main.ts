import stylesUrl from 'swagger-ui-dist/swagger-ui.css?url';
import scriptUrl from 'swagger-ui-dist/swagger-ui-bundle.js?url';
import { request } from '../api/client.ts';
import { applyTheme, theme } from '../theme.ts';
import { type OpenApiDocument, readChainExamples, withExamples } from './chain-examples.ts';
import { showGuides } from './guides.ts';
import { appearing, showNavigation } from './navigation.ts';
import { showRealtime } from './realtime.ts';

declare global {
  interface Window {
    /** Swagger UI, which defines itself when its script has run. */
    SwaggerUIBundle?: (options: Record<string, unknown>) => unknown;
  }
}

applyTheme();
followTheme();
const guides = showGuides(document.getElementById('guides')!);
const reference = document.getElementById('reference')!;
start().catch(error => {
  const message = document.createElement('p');
  message.setAttribute('role', 'alert');
  message.textContent = `The reference could not be loaded: ${error instanceof Error ? error.message : error}`;
  reference.replaceChildren(message);
});

async function start(): Promise<void> {
  const [spec, examples] = await Promise.all([
    request('/openapi.json') as Promise<OpenApiDocument>, // the server's own document
    readChainExamples().catch(() => ({})), // without a chain, the examples of the document stay
    loadStyles(stylesUrl),
    loadScript(scriptUrl),
  ]);
  showNavigation(document.getElementById('contents')!, spec, guides);
  reference.replaceChildren();
  window.SwaggerUIBundle!({
    domNode: reference,
    spec: withExamples(spec, examples),
    docExpansion: 'none',
    deepLinking: true,
    filter: true,
    tryItOutEnabled: true,
    requestSnippetsEnabled: true,
    defaultModelsExpandDepth: -1,
    validatorUrl: null, // would ask another origin
  });
  // It is drawn after this function has gone on.
  void appearing('#servers').then(servers => servers?.setAttribute('aria-label', 'Server'));
  await showRealtime(document.getElementById('realtime')!);
}

/** Swagger UI is dark below this class. */
function followTheme(): void {
  const media = matchMedia('(prefers-color-scheme: dark)');
  const update = () => {
    const dark = theme.value === 'dark' || (theme.value === 'system' && media.matches);
    document.documentElement.classList.toggle('dark-mode', dark);
  };
  update();
  media.addEventListener('change', update);
}

function loadStyles(href: string): Promise<void> {
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = href;
  return loaded(link);
}

function loadScript(src: string): Promise<void> {
  const script = document.createElement('script');
  script.src = src;
  return loaded(script);
}

function loaded(element: HTMLLinkElement | HTMLScriptElement): Promise<void> {
  return new Promise((resolve, reject) => {
    element.onload = () => resolve();
    element.onerror = () => reject(new Error('a file of it is missing'));
    document.head.append(element);
  });
}
