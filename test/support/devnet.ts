import { fromHex } from '@cairn-stacks/codec/hex';
import type { Payload } from '@cairn-stacks/codec/transaction/payload';
import { accountAt } from '@cairn-stacks/devnet/chain/account';
import type { Message } from '@cairn-stacks/devnet/chain/message-text';
import type { Rejection } from '@cairn-stacks/devnet/node/admission';
import { DevnetNode, type NodeOptions } from '@cairn-stacks/devnet/node/devnet-node';
import type { Submission } from '@cairn-stacks/devnet/node/submission';
import { Residents } from '@cairn-stacks/devnet/residents/residents';
import { playRound } from '@cairn-stacks/devnet/residents/round';
import { makeTransaction, type Order } from '@cairn-stacks/devnet/residents/wallet';

export type TestDevnet = {
  node: DevnetNode;
  residents: Residents;
  /** All that the node has posted. */
  posted: Message[];
  /** Moves the clock. */
  wait(seconds: number): void;
  /** The residents act and a block is mined, so many times. */
  live(blocks: number): void;
  /** Signs as an account and submits. */
  send(from: number, payload: Payload, order?: Partial<Order> & { nonce?: bigint }): Submission | Rejection;
};

/** A devnet whose clock the test drives; unsigned unless asked, which is fifty times faster. */
export function testDevnet(options: Partial<NodeOptions> = {}): TestDevnet {
  let now = 1_760_000_000;
  const posted: Message[] = [];
  const sign = options.sign ?? false;
  const node = new DevnetNode({
    seed: 1,
    now: () => now,
    post: message => void posted.push(message),
    ...options,
    sign,
  });
  const residents = new Residents(node, options.seed ?? 1);
  node.begin();
  return {
    ...{ node, residents, posted },
    wait: seconds => {
      now += seconds;
    },
    live(blocks) {
      for (let i = 0; i < blocks; i++) {
        now += 5;
        playRound(residents);
        if (!node.chain.release.nakamoto) node.streamMicroblock();
        node.mine();
      }
    },
    send(from, payload, { nonce, ...order } = {}) {
      const account = accountAt(from, false);
      const origin = { account, nonce: nonce ?? residents.nextNonce(from) };
      const { raw } = makeTransaction({ network: node.network, origin, fee: 1000n, payload, sign, ...order });
      return node.submit(fromHex(raw));
    },
  };
}
