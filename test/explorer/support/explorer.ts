import { once } from 'node:events';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { freePort } from '../../../bench/support/free-port.ts';
import { type RunningService, startService } from '../../support/running-service.ts';
import { until } from '../../support/service.ts';
import { findBrowser, startBrowser } from './browser.mjs';

export type Looks = { colorScheme?: 'light' | 'dark'; width?: number };

/** A page of the explorer with all that it complained about and all that it requested. */
export type OpenPage = {
  page: Page;
  context: BrowserContext;
  /** Errors of scripts and of the console; failed loads of what the test expects to fail are left out. */
  complaints: string[];
  /** Requests to other origins. */
  outside: string[];
};

export type ChainTip = {
  block_height: number;
  block_hash: string;
  index_block_hash: string;
  burn_block_height: number;
};
export type Explorer = ReturnType<typeof useExplorer>;

/** The service with its devnet, and a browser, shared by the tests of a file. */
export function useExplorer(settings: Record<string, string> = {}) {
  const ends: (() => Promise<void>)[] = [];
  let service: RunningService;
  let browser: Browser;
  let found: string | undefined;
  beforeAll(async () => {
    const own = { CAIRN_API_PORT: String(await freePort()), ...settings };
    service = await startService({ onTestFinished: end => void ends.unshift(end) }, own);
    found = await findBrowser();
    if (found === undefined) return;
    browser = await startBrowser(found);
    ends.unshift(() => browser.close());
  });
  beforeEach(t => t.skip(found === undefined, 'there is no browser: CAIRN_TEST_BROWSER may name one'));
  afterAll(async () => {
    for (const end of ends) await end();
  });

  const base = () => service.addresses.api!;
  const get = async (path: string) => JSON.parse(await (await fetch(base() + path)).text());
  const height = async (wanted: number) => {
    await until(async () => (await get('/extended')).chain_tip?.block_height >= wanted);
  };
  const devnet = async (command: string) => {
    const response = await fetch(`${devnetUrl(service)}/devnet/${command}`, { method: 'POST' });
    expect(response.status).toBe(200);
  };
  return {
    get base() {
      return base();
    },
    get service() {
      return service;
    },
    get,
    async stop() {
      const ended = once(service.child, 'exit');
      service.child.kill('SIGTERM');
      await ended;
    },
    get isStopped() {
      return service.child.exitCode !== null || service.child.signalCode !== null;
    },
    /** Starts the service again, on the same port and with the same data. */
    async startAgain() {
      const { port } = new URL(base());
      const same = { CAIRN_API_PORT: port, CAIRN_DATA_DIR: service.dataDir };
      service = await startService({ onTestFinished: end => void ends.unshift(end) }, { ...settings, ...same });
    },
    /** Sends a command to the devnet. */
    devnet,
    get nodeUrl() {
      return devnetUrl(service);
    },
    /** Waits until the chain has this height. */
    height,
    /** Sends a command to the devnet, and waits until the API is at the tip of the devnet. */
    async command(command: string): Promise<ChainTip> {
      await devnet(command);
      const state = JSON.parse(await (await fetch(`${devnetUrl(service)}/devnet`)).text());
      return await until(async () => {
        const { chain_tip: tip } = await get('/extended');
        return tip?.index_block_hash === state.index_block_hash ? tip : undefined;
      });
    },
    async tip(): Promise<ChainTip> {
      return (await get('/extended')).chain_tip;
    },
    async open(path: string, { colorScheme = 'light', width = 1280 }: Looks = {}): Promise<OpenPage> {
      const context = await browser.newContext({
        viewport: { width, height: 800 },
        colorScheme,
        reducedMotion: 'reduce',
      });
      const page = await context.newPage();
      const complaints: string[] = [];
      const outside: string[] = [];
      page.on('pageerror', error => complaints.push(error.message));
      page.on('console', message => {
        // Chromium reports every response of 4xx and 5xx; tests of those states look at the page instead.
        if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
          complaints.push(message.text());
      });
      page.on('request', request => {
        if (!request.url().startsWith(base())) outside.push(request.url());
      });
      await page.goto(base() + path);
      return { page, context, complaints, outside };
    },
  };
}

function devnetUrl(service: RunningService): string {
  const line = service.lines().find(each => 'accounts' in each) as { url?: string } | undefined;
  if (line?.url === undefined) throw new Error('the devnet has not said where it listens');
  return line.url;
}
