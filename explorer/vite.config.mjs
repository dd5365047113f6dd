import { fileURLToPath } from 'node:url';
import { defaultClientConditions, defineConfig } from 'vite';
import { markdown } from './docs/markdown-plugin.mjs';

const root = fileURLToPath(new URL('.', import.meta.url));

/** Two pages: the explorer itself, and the API reference, whose scripts are large. */
export default defineConfig({
  root,
  configFile: false,
  logLevel: 'warn',
  plugins: [markdown()],
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  // The codec as source: it is built with the pages.
  resolve: { conditions: ['cairn-source', ...defaultClientConditions] },
  build: {
    target: 'es2022',
    // The policy of the pages allows no data URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 2000,
    rolldownOptions: { checks: { pluginTimings: false }, input: [`${root}index.html`, `${root}docs.html`] },
  },
});
