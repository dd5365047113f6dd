import { afterAll, beforeAll } from 'vitest';
import type { BuiltBlock } from '../../src/devnet/chain/built-block.ts';
import type { Message } from '../../src/devnet/chain/message-text.ts';
import { startApi } from './api.ts';
import { messagesOf } from './chain.ts';
import { foldAll, until } from './service.ts';

type Ending = Parameters<typeof startApi>[0];

/** The API on a database that holds what these blocks and messages tell, in the order given. */
export async function startOn(t: Ending, messages: readonly (BuiltBlock | Message)[]) {
  const api = await startApi(t);
  const position = await foldAll(
    api.database,
    messages.flatMap(message => ('burnBlocks' in message ? messagesOf(message) : [message])),
  );
  await until(async () => api.tip.current?.seq === Number(position.journal_seq));
  const ask = async (url: string) => {
    const { statusCode, headers, body } = await api.app.inject(url);
    return { status: statusCode, location: headers.location, body: body === '' ? undefined : JSON.parse(body) };
  };
  return { ...api, ask, get: async (url: string) => (await ask(url)).body };
}

/** The same for all tests of a file that only ask: started once, since building every route takes a while. */
export function shareOn(messages: readonly (BuiltBlock | Message)[]) {
  const endings: (() => Promise<void>)[] = [];
  let service: Awaited<ReturnType<typeof startOn>>;
  beforeAll(async () => {
    service = await startOn({ onTestFinished: work => void endings.push(work) }, messages);
  }, 60_000);
  afterAll(async () => {
    for (const end of endings.reverse()) await end();
  });
  return { ask: (url: string) => service.ask(url), get: (url: string) => service.get(url) };
}
