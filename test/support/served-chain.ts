import { accountAt } from '@cairn-stacks/devnet/chain/account';
import type { BuiltBlock } from '@cairn-stacks/devnet/chain/built-block';
import type { Message } from '@cairn-stacks/devnet/chain/message-text';
import { afterAll, beforeAll } from 'vitest';
import { startApi } from './api.ts';
import { messagesOf } from './chain.ts';
import { foldAll, until } from './service.ts';

/** Blocks with the burn blocks that they need, and single messages, in the order in which a node posts them. */
export type Posted = readonly (BuiltBlock | Message)[];

/** The address of an account of the simulated chain. */
export const addressOf = (account: number) => accountAt(account, false).address;

/** The API on a database of its own that holds these blocks and messages; `get` parses a response that must be a 200. */
export async function serveChain(
  t: Parameters<typeof startApi>[0],
  posted: Posted,
  shell?: Parameters<typeof startApi>[1],
) {
  const api = await startApi(t, shell);
  const position = await foldAll(
    api.database,
    posted.flatMap(item => ('burnBlocks' in item ? messagesOf(item) : [item])),
  );
  await until(async () => api.tip.current?.seq === Number(position.journal_seq));
  const ask = async (url: string) => {
    const { statusCode, headers, body } = await api.app.inject(url);
    return { status: statusCode, location: headers.location, body: body === '' ? undefined : JSON.parse(body) };
  };
  const get = async (url: string) => {
    const { status, body } = await ask(url);
    if (status !== 200) throw new Error(`${url} was answered with ${status}: ${JSON.stringify(body)}`);
    return body;
  };
  return { ...api, ask, get };
}

export type ServedChain = Awaited<ReturnType<typeof serveChain>>;

/** One API for all tests of a file that only read: starting it takes longer than most of them. */
export function serveChainForFile(posted: () => Posted): Pick<ServedChain, 'ask' | 'get' | 'app' | 'database'> {
  const ends: (() => Promise<void>)[] = [];
  let served: ServedChain;
  beforeAll(async () => {
    served = await serveChain({ onTestFinished: end => void ends.unshift(end) }, posted());
  });
  afterAll(async () => {
    for (const end of ends) await end();
  });
  return {
    ask: url => served.ask(url),
    get: url => served.get(url),
    get app() {
      return served.app;
    },
    get database() {
      return served.database;
    },
  };
}
