import { stringAscii, tuple, uint } from '@cairn-stacks/codec/clarity/build';
import { accountAt } from '@cairn-stacks/devnet/chain/account';
import { burnMessage } from '@cairn-stacks/devnet/chain/burn-and-mempool-messages';
import type { Message } from '@cairn-stacks/devnet/chain/message-text';
import { testChain } from './chain.ts';
import {
  acceptance,
  contractUpdate,
  deposit,
  hash32,
  keyOf,
  printed,
  rejection,
  request,
  rotation,
  user,
  withSbtc,
} from './sbtc-chain.ts';

export const other = accountAt(901, false).address;
export const pox = 'ST000000000000000000002AMW42H.pox-5';
export const hash20 = '000102030405060708090a0b0c0d0e0f10111213';
export const generator = '79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798';

/** Five blocks in which everything happens once or twice; the last request stays pending. */
export function sbtcStory() {
  const chain = testChain({ seed: 41, release: '4.0' });
  const blocks = [chain.mine(chain.genesis, { tenure: 'new' })];
  for (let i = 0; i < 4; i++) blocks.push(chain.mine(blocks.at(-1), { tenure: 'new' }));
  const burnOf = (n: number) => ({ hash: blocks[n]!.burn.hash.slice(2), height: blocks[n]!.burn.height });
  const at = (n: number, tx: string) => ({ tx: hash32(tx), ...burnOf(n) });
  const first = { tx: hash32('in 1'), vout: 1, amount: 5_000, to: user, sweep: at(0, 'sweep 1') };
  const ask = (id: number, version: string, hash: string) => ({
    ...{ id, amount: 600 + id, maxFee: 100, sender: user, version, hash, height: burnOf(0).height },
  });
  const [one, two, three] = [ask(1, '00', hash20), ask(2, '06', generator), ask(3, '', hash20)];
  const keys = [keyOf(1), keyOf(2), keyOf(3)];
  const content = [
    [
      rotation({ keys, aggregate: Uint8Array.of(2, ...Buffer.from(generator, 'hex')), signer: other, threshold: 2 }),
      deposit(first),
    ],
    [
      deposit({ tx: hash32('in 1'), vout: 2, amount: 70_000, to: pox, sweep: at(0, 'sweep 1') }),
      request(one),
      // Contracts that pretend, and prints that no registry makes.
      deposit({ ...first, vout: 9 }, { contract: `${user}.sbtc-registry` }),
      deposit({ ...first, vout: 9 }, { contract: `${registryDeployer}.sbtc-registry-2` }),
      [printed(tuple({ topic: stringAscii('completed-deposit'), amount: uint(4) }))],
      [printed(uint(7))],
      [printed(tuple({ topic: stringAscii('withdrawal-reject'), 'request-id': uint(2n ** 127n) }))],
    ],
    [acceptance(one, 40, 3, at(1, 'sweep 2')), request(two), rejection(two), rejection(one)],
    [request(three), contractUpdate(1, `${user}.sbtc-deposit-v2`), deposit({ ...first, vout: 3 }, { minted: 1 })],
    [],
  ];
  const messages: Message[] = [chain.genesis];
  for (const [i, block] of blocks.entries()) {
    messages.push(...block.burnBlocks.map(burnMessage), withSbtc(block, content[i]!));
  }
  return { chain, blocks, messages, burnOf };
}

export const registryDeployer = 'ST1F7QA2MDF17S807EPA36TSS8AMEFY4KA9TVGWXT';
