import { expect } from 'vitest';
import type { Told } from '../model/mempool.ts';
import { startApi } from './api.ts';
import { testChain } from './chain.ts';
import { foldMessages } from './mempool.ts';
import { until } from './service.ts';

/** Who tells, unless another is named. */
export const node = 'node 10.0.0.1';

/** Something that is told; by `node`, a second after what came before, unless it says otherwise. */
export type Step = Partial<Told> & { kind: Told['kind'] };

export const arrivals = (...sent: { raw: string }[]): Step => ({
  kind: 'arrivals',
  raws: sent.map(each => each.raw),
});

type Chain = ReturnType<typeof testChain>;

export type MempoolApiOptions = {
  chain?: Chain;
  /** What the block after genesis holds. */
  transactions?: NonNullable<Parameters<Chain['mine']>[1]>['transactions'];
  /** Seconds at which the first event is told. */
  since?: number;
};

/** The API on a chain of two blocks, and then what else is told, a second apart. */
export async function startMempoolApi(
  t: Parameters<typeof startApi>[0],
  steps: readonly Step[],
  { chain = testChain(), transactions = 0, since = 1_760_000_000 }: MempoolApiOptions = {},
) {
  const api = await startApi(t);
  const first = chain.mine(chain.genesis, { transactions });
  const blocks = [chain.genesis, first].map(block => ({ kind: 'block' as const, block }));
  const told = [...blocks, ...steps].map((each, i) => ({ at: since + i, source: node, ...each }) as Told);
  await foldMessages(api.database, told);
  await api.tip.refresh();
  await until(async () => api.tip.current?.height === 1);
  const get = async (url: string, status = 200) => {
    const answer = await api.app.inject(url);
    expect([url, answer.statusCode, answer.statusCode === status ? '' : answer.body]).toEqual([url, status, '']);
    return answer.json();
  };
  return { ...api, get, first, chain };
}
