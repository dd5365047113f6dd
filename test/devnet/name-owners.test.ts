import { principalFromBytes } from '@cairn-stacks/codec/address/principal';
import { decodeClarity } from '@cairn-stacks/codec/clarity/value';
import { fromHex } from '@cairn-stacks/codec/hex';
import type { BuiltBlock } from '@cairn-stacks/devnet/chain/built-block';
import { expect, test } from 'vitest';
import { findName } from '../../src/read/names/names-queries.ts';
import { testDatabase } from '../support/database.ts';
import { testDevnet } from '../support/devnet.ts';
import { contracts } from '../support/naming-devnet.ts';
import { historiesOf, propertySeed } from '../support/seed.ts';
import { foldAll, testNetwork } from '../support/service.ts';

type NftEvent = { asset_identifier: string; recipient?: string; raw_value: string };
type Body = { block_height: number; events: (Record<string, unknown> & { event_index: number })[] };

/** The text in a tuple of name and namespace. */
function textOf(value: ReturnType<typeof decodeClarity>): string {
  const part = (name: string) => {
    const entry = value.type === 'tuple' ? value.entries.find(each => each.name === name)?.value : undefined;
    return entry?.type === 'buffer' ? Buffer.from(entry.bytes).toString('latin1') : '';
  };
  return `${part('name')}.${part('namespace')}`;
}

/** The names of tokens: what the contract said when it made them. */
function tokenNames(bodies: Body[]): Map<bigint, string> {
  const found = new Map<bigint, string>();
  for (const event of bodies.flatMap(body => body.events)) {
    const print = event.contract_event as { contract_identifier: string; raw_value: string } | undefined;
    if (print?.contract_identifier !== contracts.v2) continue;
    const value = decodeClarity(fromHex(print.raw_value));
    const field = (name: string) =>
      value.type === 'tuple' ? value.entries.find(each => each.name === name)?.value : undefined;
    const [id, name] = [field('id'), field('name')];
    if (id?.type === 'uint' && name) found.set(id.value, textOf(name));
  }
  return found;
}

/** Owners after each block, by nothing but NFT events read from the messages, which come in any order within a block. */
function* walk(bodies: Body[]): Generator<{ height: number; owners: ReadonlyMap<string, string> }> {
  const owners = new Map<string, string>();
  const tokens = tokenNames(bodies);
  for (const { block_height: height, events } of bodies) {
    for (const event of events.toSorted((one, other) => one.event_index - other.event_index)) {
      const type = ['nft_mint_event', 'nft_transfer_event', 'nft_burn_event'].find(each => each in event);
      if (type === undefined || event.committed === false) continue;
      const { asset_identifier: asset, recipient, raw_value: raw } = event[type] as NftEvent;
      const value = decodeClarity(fromHex(raw));
      let name: string | undefined;
      if (asset === `${contracts.v1}::names`) name = textOf(value);
      if (asset === `${contracts.v2}::BNS-V2` && value.type === 'uint') name = tokens.get(value.value);
      if (name === undefined) continue;
      if (recipient === undefined) owners.delete(name);
      else owners.set(name, recipient);
    }
    if (height > 0) yield { height, owners };
  }
}

/** In its block 51 a name is transferred by a message's first event and registered by a later one. */
const shuffled = 1_633_654_089;

const seeds = Array.from({ length: historiesOf(1 / 70) }, (_, i) => propertySeed + i);

test.each([...seeds, shuffled])(
  'owners of both versions at every height are those of a walk, over forks (seed %i)',
  async seed => {
    const { node, posted, live } = testDevnet({ seed });
    for (const depth of [0, 1, 3, 5, 2]) {
      live(16);
      if (depth > 0) node.fork(depth);
    }
    const line: BuiltBlock[] = [];
    for (let block: BuiltBlock | undefined = node.tip; block; block = block.parent) line.unshift(block);
    const db = await testDatabase();
    try {
      const position = await foldAll(db, posted, { network: { ...testNetwork, name: 'devnet' } });
      expect(position.height).toBe(node.tip.height);
      const names = new Set<string>();
      let looked = 0;
      for (const { height, owners } of walk(line.map(block => block.body as Body))) {
        for (const name of owners.keys()) names.add(name);
        const found = await Promise.all(
          [...names].map(async name => {
            const row = await findName(db.sql, name, { height });
            return [name, row?.owner ? principalFromBytes(row.owner) : undefined];
          }),
        );
        expect({ height, owners: found }).toEqual({ height, owners: [...names].map(name => [name, owners.get(name)]) });
        looked += found.length;
      }
      expect([...names].some(name => name.endsWith('.cairn')) && [...names].some(name => name.endsWith('.btc'))).toBe(
        true,
      );
      expect(looked).toBeGreaterThan(50);
    } finally {
      await db.drop();
    }
  },
);
