import { afterAll, beforeAll } from 'vitest';
import { accountAt } from '../../src/devnet/chain/account.ts';
import type { BuiltBlock } from '../../src/devnet/chain/built-block.ts';
import { startApi } from './api.ts';
import { messagesOf } from './chain.ts';
import { foldAll, until } from './service.ts';

/** The address of an account of the simulated chain. */
export const addressOf = (account: number) => accountAt(account, false).address;

/** The API on these blocks; `get` parses an answer that must be a 200. */
export async function serveChain(t: Parameters<typeof startApi>[0], blocks: readonly BuiltBlock[]) {
  const api = await startApi(t);
  const position = await foldAll(api.database, blocks.flatMap(messagesOf));
  await until(async () => api.tip.current?.height === position.height);
  const ask = async (url: string) => {
    const response = await api.app.inject(url);
    return { status: response.statusCode, body: response.json() };
  };
  const get = async (url: string) => {
    const { status, body } = await ask(url);
    if (status !== 200) throw new Error(`${url} answered ${status}: ${JSON.stringify(body)}`);
    return body;
  };
  return { ...api, ask, get };
}

type Served = Awaited<ReturnType<typeof serveChain>>;

/** One API for all tests of a file: building it takes longer than most of them. */
export function serveForFile(blocks: () => readonly BuiltBlock[]): Pick<Served, 'ask' | 'get' | 'app'> {
  const ends: (() => Promise<void>)[] = [];
  let served: Served;
  beforeAll(async () => {
    served = await serveChain({ onTestFinished: end => void ends.unshift(end) }, blocks());
  }, 60_000);
  afterAll(async () => {
    for (const end of ends) await end();
  });
  return {
    ask: url => served.ask(url),
    get: url => served.get(url),
    get app() {
      return served.app;
    },
  };
}
