import { expect } from 'vitest';
import type { LoggedMessage } from '../model/mempool.ts';
import { startApi } from './api.ts';
import { testChain } from './chain.ts';
import { foldMessages } from './mempool.ts';
import { until } from './service.ts';

/** The default source. */
export const node = 'node 10.0.0.1';

/** A message; by default from `node`, one second after the previous message. */
export type Step = Partial<LoggedMessage> & { kind: LoggedMessage['kind'] };

export const arrivals = (...sent: { raw: string }[]): Step => ({
  kind: 'arrivals',
  raws: sent.map(each => each.raw),
});

type Chain = ReturnType<typeof testChain>;

export type MempoolApiOptions = {
  chain?: Chain;
  /** Transactions of the block after genesis. */
  transactions?: NonNullable<Parameters<Chain['mine']>[1]>['transactions'];
  /** Time of the first event, in seconds. */
  since?: number;
};

/** The API on a chain of two blocks, and then the other messages, one second apart. */
export async function startMempoolApi(
  t: Parameters<typeof startApi>[0],
  steps: readonly Step[],
  { chain = testChain(), transactions = 0, since = 1_760_000_000 }: MempoolApiOptions = {},
) {
  const api = await startApi(t);
  const first = chain.mine(chain.genesis, { transactions });
  const blocks = [chain.genesis, first].map(block => ({ kind: 'block' as const, block }));
  const messages = [...blocks, ...steps].map((each, i) => ({ at: since + i, source: node, ...each }) as LoggedMessage);
  await foldMessages(api.database, messages);
  await api.tip.refresh();
  await until(async () => api.tip.current?.height === 1);
  const get = async (url: string, status = 200) => {
    const answer = await api.app.inject(url);
    expect([url, answer.statusCode, answer.statusCode === status ? '' : answer.body]).toEqual([url, status, '']);
    return answer.json();
  };
  return { ...api, get, first, chain };
}
