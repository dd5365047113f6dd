import { buffer } from '@cairn-stacks/codec/clarity/build';
import { encodeClarity } from '@cairn-stacks/codec/clarity/encode';
import { toHex } from '@cairn-stacks/codec/hex';
import { accountAt } from '@cairn-stacks/devnet/chain/account';
import type { BuiltBlock } from '@cairn-stacks/devnet/chain/built-block';
import { Random } from '@cairn-stacks/devnet/random';
import { expect, test } from 'vitest';
import { auditAll } from '../../src/audit/audit.ts';
import { messagesOf, mineLine, testChain } from '../support/chain.ts';
import { testDatabase } from '../support/database.ts';
import { differences, dump } from '../support/dump.ts';
import { serveChain } from '../support/served-chain.ts';
import { foldAll } from '../support/service.ts';

const [alice, bob] = [0, 1].map(index => accountAt(index, false).address) as [string, string];
const asset = `${alice}.archive::page`;
// Nothing that a database could compress below the limit of its indexes.
const long = toHex(encodeClarity(buffer(new Random(5).bytes(10_000))));
const other = toHex(encodeClarity(buffer(new Random(6).bytes(10_000))));

const plain = { transactions: [{ kind: 'transfer' as const, from: 0, to: bob, amount: 1n }] };

/** The block with an NFT event more. */
function withNft(block: BuiltBlock, type: string, event: object): BuiltBlock {
  const { events, ...body } = block.body as { events: object[] };
  const told = { txid: block.transactions.at(-1)!.txId, event_index: 900, committed: true, type, [type]: event };
  return { ...block, body: { ...body, events: [...events, told] } };
}

test('NFTs whose values are longer than an index takes have owners, a history and forks', async t => {
  const chain = testChain({ seed: 3 });
  const [one, two, three] = mineLine(chain, chain.genesis, 3, plain) as [BuiltBlock, BuiltBlock, BuiltBlock];
  const [rival, best] = mineLine(chain, two, 2, plain) as [BuiltBlock, BuiltBlock];
  const mint = (value: string) => ({ asset_identifier: asset, recipient: alice, raw_value: value });
  const line = [
    chain.genesis,
    withNft(one, 'nft_mint_event', mint(long)),
    withNft(two, 'nft_mint_event', mint(other)),
    withNft(three, 'nft_transfer_event', { asset_identifier: asset, sender: alice, recipient: bob, raw_value: long }),
  ];
  const api = await serveChain(t, line);
  const owned = async (who: string) =>
    (await api.get(`/extended/v1/tokens/nft/holdings?principal=${who}`)).results.map(
      (row: { value: { hex: string } }) => row.value.hex,
    );
  expect([await owned(alice), await owned(bob)]).toEqual([[other], [long]]);
  const history = await api.get(`/extended/v1/tokens/nft/history?asset_identifier=${asset}&value=${long}`);
  expect(history.results.map((row: { recipient: string }) => row.recipient)).toEqual([bob, alice]);
  const mints = await api.get(`/extended/v1/tokens/nft/mints?asset_identifier=${asset}`);
  expect(mints.results.map((row: { value: { hex: string } }) => row.value.hex)).toEqual([other, long]);

  await foldAll(api.database, [rival, best].flatMap(messagesOf));
  await api.tip.refresh();
  expect([await owned(alice), await owned(bob)]).toEqual([[other, long], []]);
  expect((await auditAll(api.database.sql)).filter(finding => finding.reason === undefined)).toEqual([]);
  const fresh = await testDatabase(t);
  await foldAll(fresh, [...line.slice(0, 3), rival, best].flatMap(messagesOf));
  const chainTables = differences(await dump(api.database.sql), await dump(fresh.sql)).filter(
    row => !row.startsWith('burn_'),
  );
  expect(chainTables).toEqual([]);
});
