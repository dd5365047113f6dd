import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { withLock } from '../../../scripts/run/lock.mjs';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Where systems install Chromium or Chrome. */
const places = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/**
 * The browser that the setting names, else one of this machine, else the one of an npm package, which is for Linux;
 * undefined where there is none.
 *
 * @returns {Promise<string | undefined>}
 */
export async function findBrowser() {
  const named = process.env.CAIRN_TEST_BROWSER;
  if (named !== undefined) return named;
  const installed = places.find(place => existsSync(place));
  return installed ?? (process.platform === 'linux' ? await unpackBrowser() : undefined);
}

/** The package has the browser compressed. It is unpacked once for each version, by one process at a time. */
async function unpackBrowser() {
  const { default: packed } = await import('@sparticuz/chromium');
  const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  const folder = join(root, '.run', `browser-${manifest.dependencies['@sparticuz/chromium']}`);
  mkdirSync(folder, { recursive: true });
  return await withLock(join(folder, 'lock'), async () => {
    // The package unpacks into the temporary folder.
    const before = process.env.TMPDIR;
    process.env.TMPDIR = folder;
    try {
      return await packed.executablePath();
    } finally {
      if (before === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = before;
    }
  });
}

/**
 * Starts a browser; one that does not start is a failure.
 *
 * @param {string} executablePath
 * @returns {Promise<import('playwright-core').Browser>}
 */
export async function startBrowser(executablePath) {
  return await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--headless=shell'],
    // Where the machine names no language, Chromium tells pages one that does not exist.
    env: { ...process.env, LANG: 'en_US.UTF-8', LC_ALL: 'en_US.UTF-8' },
  });
}
