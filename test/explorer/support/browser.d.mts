import type { Browser } from 'playwright-core';

/** Starts a browser: the one of `CAIRN_TEST_BROWSER`, else one of the machine, else the one of an npm package. */
export function startBrowser(): Promise<Browser>;
