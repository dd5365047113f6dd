import type { Browser } from 'playwright-core';

/** The browser of `CAIRN_TEST_BROWSER`, else one of the machine, else the one of an npm package; undefined without one. */
export function findBrowser(): Promise<string | undefined>;

/** Starts the browser at a path. */
export function startBrowser(executablePath: string): Promise<Browser>;
