import { expect, test } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { createMetadataSource } from '../../src/metadata/fetch/metadata-fetch.ts';
import { testDevnet } from '../support/devnet.ts';
import { settled, startWorker } from '../support/metadata.ts';
import { serveChain } from '../support/served-chain.ts';

test('the tokens of the devnet have their metadata, pictures and errors through the real source', async t => {
  const devnet = testDevnet();
  devnet.live(60);
  const api = await serveChain(t, devnet.posted);
  const source = createMetadataSource(readConfig({}).config, 'full', { resolve: async () => ['127.0.0.1'] });
  t.onTestFinished(() => source.close());
  startWorker(t, api.database.sql, devnet.node, { source });
  await settled(api.database.sql);
  const contract = (name: string) => devnet.residents.contract(name);
  const stone = await api.get(`/metadata/v1/ft/${contract('stone')}`);
  expect(stone).toMatchObject({ name: 'Stone', decimals: 6, metadata: { name: 'Stone' } });
  expect(stone.metadata.cached_image).toMatch(/^data:image\/svg\+xml/);
  expect(await api.get(`/metadata/v1/nft/${contract('marbles')}/2`)).toMatchObject({
    metadata: { name: 'Marble 2', attributes: [{ trait_type: 'polish', value: expect.any(Number) }] },
  });
  const answers = await Promise.all(
    [1, 2, 3, 4, 5, 6].map(async id => (await api.ask(`/metadata/v1/sft/${contract('pebbles')}/${id}`)).body),
  );
  const codes = answers.map(each => each.metadata_error?.code ?? each.metadata?.name ?? each.error);
  const expected = ['Pebble 1', 'address_refused', 'address_refused', 'metadata_invalid', 'metadata_invalid'];
  for (const [i, code] of [...expected, 'contract_call_failed'].entries()) {
    expect([code, 'Token not found', 'Contract not found']).toContain(codes[i]);
  }
  expect(codes.filter(code => code !== 'Token not found').length).toBeGreaterThan(3);
});
