import { expect, test } from 'vitest';
import { testDevnet } from '../support/devnet.ts';
import { serveChain } from '../support/served-chain.ts';

test('the era of microblocks shows streams and a poison microblock through the API', async t => {
  const { posted, live, node } = testDevnet({ release: '2.4' });
  live(24);
  const api = await serveChain(t, posted);
  const { results } = await api.get('/extended/v1/tx?type=poison_microblock');
  expect(results.length).toBeGreaterThan(0);
  expect(results[0]).toMatchObject({
    tx_type: 'poison_microblock',
    tx_status: 'success',
    poison_microblock: { microblock_header_1: expect.any(String), microblock_header_2: expect.any(String) },
  });
  const { tx_id } = results[0];
  expect(await api.get(`/extended/v1/tx/${tx_id}`)).toMatchObject({ tx_id, tx_type: 'poison_microblock' });
  const microblocks = await api.get('/extended/v1/microblock');
  expect(microblocks.results.length).toBeGreaterThan(0);
  expect(await api.get('/extended/v2/blocks/latest')).toMatchObject({ height: node.tip.height });
});
