import { parseAssetId } from '@cairn-stacks/codec/address/principal';
import { buffer, none, principal, some, uint } from '@cairn-stacks/codec/clarity/build';
import { encodeClarity } from '@cairn-stacks/codec/clarity/encode';
import { fromHex } from '@cairn-stacks/codec/hex';
import { callPayload, deployPayload, transferPayload } from '@cairn-stacks/codec/transaction/build';
import type { Payload } from '@cairn-stacks/codec/transaction/payload';
import type { PostCondition } from '@cairn-stacks/codec/transaction/post-condition';
import { marbleOf, mintPrice } from '../contracts/collection-model.ts';
import { stoneOf } from '../contracts/fungible-model.ts';
import { lastPebble, pebbleLimit } from '../contracts/pebble-model.ts';
import { residentAccounts } from './accounts.ts';
import { useName, useToken } from './naming-actions.ts';
import type { Residents } from './residents.ts';
import { stackAlone, stackInPool } from './stacking-actions.ts';

/** An action of a resident, which sends transactions; `actor` is the index of its account. */
export type ResidentAction = (residents: Residents, actor: number) => void;

const origin = { type: 'origin' } as const;
const atMost = (amount: bigint): PostCondition => ({
  type: 'stx',
  principal: origin,
  condition: 'sent_less_than_or_equal_to',
  amount,
});
const stonesAtMost = (asset: string, amount: bigint): PostCondition => ({
  type: 'fungible',
  principal: origin,
  asset: parseAssetId(asset),
  condition: 'sent_less_than_or_equal_to',
  amount,
});

const other = (residents: Residents, actor: number) =>
  residents.random.pick(residentAccounts.filter(index => index !== actor));
const words = ['rent', 'coffee', 'thank you', 'invoice 17', '', 'for the marble'];

const pay: ResidentAction = (residents, actor) => {
  const { random } = residents;
  const to = residents.address(other(residents, actor));
  const sponsor = random.chance(5) ? { sponsor: other(residents, actor) } : {};
  residents.send(actor, transferPayload(to, BigInt(1_000 + random.below(50_000_000)), random.pick(words)), sponsor);
};

const giveStones: ResidentAction = (residents, actor) => {
  const amount = BigInt(1 + residents.random.below(2_000_000));
  const contract = residents.contract('stone');
  const memo = residents.random.chance(3) ? some(buffer(Buffer.from('with a memo'))) : none;
  if (residents.random.chance(6)) {
    residents.send(actor, callPayload(contract, 'burn', [uint(amount)]), { mode: 'allow' });
    return;
  }
  const args = [
    uint(amount),
    principal(residents.address(actor)),
    principal(residents.address(other(residents, actor))),
    memo,
  ];
  const conditions = [stonesAtMost(stoneOf(contract), amount)];
  residents.send(actor, callPayload(contract, 'transfer', args), { conditions });
};

const transferOverBalance: ResidentAction = (residents, actor) => {
  const args = [
    uint(10n ** 15n),
    principal(residents.address(actor)),
    principal(residents.address(other(residents, actor))),
    none,
  ];
  residents.send(actor, callPayload(residents.contract('stone'), 'transfer', args), { mode: 'allow' });
};

const trade: ResidentAction = (residents, actor) => {
  const gives = residents.random.chance(2) ? 'stx' : 'stone';
  const amount = BigInt(100_000 + residents.random.below(gives === 'stx' ? 20_000_000 : 1_000_000));
  residents.send(actor, callPayload(residents.contract('pool'), `swap-${gives}`, [uint(amount), uint(1)]), {
    mode: 'allow',
  });
};

/** No post-condition allows that STX leave: the trade succeeds and is rolled back. */
const swapAbortedByPostCondition: ResidentAction = (residents, actor) => {
  residents.send(actor, callPayload(residents.contract('pool'), 'swap-stx', [uint(1_000_000), uint(1)]), {
    conditions: [atMost(999_999n)],
  });
};

const mintMarble: ResidentAction = (residents, actor) => {
  residents.send(actor, callPayload(residents.contract('marbles'), 'mint', []), { conditions: [atMost(mintPrice)] });
};

const giveMarble: ResidentAction = (residents, actor) => {
  const contract = residents.contract('marbles');
  const asset = marbleOf(contract);
  const mine = [...residents.node.state.nft].find(
    ([key, owner]) => key.startsWith(`${asset} `) && owner === residents.address(actor),
  );
  if (!mine) return mintMarble(residents, actor);
  const id = uint(BigInt(mine[0].split(' ')[1]!));
  const conditions: PostCondition[] = [
    {
      type: 'non_fungible',
      principal: origin,
      asset: parseAssetId(asset),
      value: encodeClarity(id),
      condition: 'sent',
    },
  ];
  const burns = residents.random.chance(6);
  const to = principal(residents.address(other(residents, actor)));
  const args = burns ? [id] : [id, principal(residents.address(actor)), to];
  residents.send(actor, callPayload(contract, burns ? 'burn' : 'transfer', args), { conditions });
};

/** Changes the metadata of all marbles, which the contract announces. */
const polishMarbles: ResidentAction = (residents, actor) => {
  residents.send(actor, callPayload(residents.contract('marbles'), 'polish-all', []));
};

const collectPebbles: ResidentAction = (residents, actor) => {
  const id = uint(1 + residents.random.below(Number(lastPebble)));
  const args = [id, uint(1 + residents.random.below(Number(pebbleLimit))), principal(residents.address(actor))];
  residents.send(actor, callPayload(residents.contract('pebbles'), 'mint', args));
};

const stack: ResidentAction = (residents, actor) => {
  if (!stackAlone(residents, actor)) pay(residents, actor);
};

const pool: ResidentAction = (residents, actor) => {
  if (!stackInPool(residents, actor)) pay(residents, actor);
};

/** Sends a transfer with a low fee, then replaces it. */
const replace: ResidentAction = (residents, actor) => {
  const nonce = residents.nextNonce(actor);
  const to = residents.address(other(residents, actor));
  residents.send(actor, transferPayload(to, 1_234_567n, 'slow'), { nonce, fee: 250n });
  residents.send(actor, transferPayload(to, 1_234_567n, 'fast'), { nonce, fee: 2_500n });
};

/** The node rejects each of these transactions. */
const blunder: ResidentAction = (residents, actor) => {
  const to = residents.address(other(residents, actor));
  const used = residents.node.state.nonce(residents.address(actor)) - 1n;
  if (used >= 0n) residents.send(actor, transferPayload(to, 5n), { nonce: used });
  residents.send(actor, transferPayload(to, 5n), { fee: 1n });
  residents.send(actor, transferPayload(to, 10n ** 17n));
};

/** A nonce with a gap: it stays pending until the previous nonces are used. */
const hurry: ResidentAction = (residents, actor) => {
  const to = residents.address(other(residents, actor));
  residents.send(actor, transferPayload(to, 77n, 'too early'), { nonce: residents.nextNonce(actor) + 2n });
};

const publish: ResidentAction = (residents, actor) => {
  const broken = residents.random.chance(3);
  const source = `;; note ${residents.round}\n(define-constant words "${residents.random.pick(words)}"${broken ? '))' : ')'}\n`;
  residents.send(actor, deployPayload(`note-${residents.round}`, source), { mode: 'allow' });
};

/** Reports two microblocks of one sequence that a miner signed, possible until epoch 2.5. */
export const reportMiner: ResidentAction = (residents, actor) => {
  const header = (fill: number) => ({
    version: 0,
    sequence: 1,
    previousHash: fromHex(residents.node.tip.hash),
    transactionMerkleRoot: new Uint8Array(32).fill(fill),
    signature: new Uint8Array(65).fill(fill),
  });
  const payload: Payload = { type: 'poison_microblock', header1: header(1), header2: header(2) };
  residents.send(actor, payload, { mode: 'allow' });
};

/** All actions; common ones occur more often. */
export const residentActions: readonly ResidentAction[] = [
  ...[
    pay,
    replace,
    trade,
    swapAbortedByPostCondition,
    giveStones,
    transferOverBalance,
    pay,
    stack,
    mintMarble,
    hurry,
    useName,
  ],
  ...[trade, publish, giveMarble, pool, blunder, useToken, giveStones, pay, replace, trade],
  ...[collectPebbles, polishMarbles],
];
