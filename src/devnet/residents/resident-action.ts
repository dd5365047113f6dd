import { parseAssetId } from '../../codec/address/principal.ts';
import { buffer, none, principal, some, uint } from '../../codec/clarity/build.ts';
import { encodeClarity } from '../../codec/clarity/encode.ts';
import { fromHex } from '../../codec/hex.ts';
import { callPayload, deployPayload, transferPayload } from '../../codec/transaction/build.ts';
import type { Payload } from '../../codec/transaction/payload.ts';
import type { PostCondition } from '../../codec/transaction/post-condition.ts';
import { marbleOf, mintPrice } from '../contracts/collection-model.ts';
import { stoneOf } from '../contracts/fungible-model.ts';
import { useName, useToken } from './naming-actions.ts';
import { type Population, residents } from './population.ts';
import { stackAlone, stackInPool } from './stacking-actions.ts';

/** Something that a resident does now and then. */
export type Deed = (people: Population, who: number) => void;

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

const other = (people: Population, who: number) => people.random.pick(residents.filter(index => index !== who));
const words = ['rent', 'coffee', 'thank you', 'invoice 17', '', 'for the marble'];

const pay: Deed = (people, who) => {
  const { random } = people;
  const to = people.address(other(people, who));
  const sponsor = random.chance(5) ? { sponsor: other(people, who) } : {};
  people.send(who, transferPayload(to, BigInt(1_000 + random.below(50_000_000)), random.pick(words)), sponsor);
};

const giveStones: Deed = (people, who) => {
  const amount = BigInt(1 + people.random.below(2_000_000));
  const contract = people.contract('stone');
  const memo = people.random.chance(3) ? some(buffer(Buffer.from('with a memo'))) : none;
  if (people.random.chance(6)) {
    people.send(who, callPayload(contract, 'burn', [uint(amount)]), { mode: 'allow' });
    return;
  }
  const args = [uint(amount), principal(people.address(who)), principal(people.address(other(people, who))), memo];
  const conditions = [stonesAtMost(stoneOf(contract), amount)];
  people.send(who, callPayload(contract, 'transfer', args), { conditions });
};

const giveTooMuch: Deed = (people, who) => {
  const args = [uint(10n ** 15n), principal(people.address(who)), principal(people.address(other(people, who))), none];
  people.send(who, callPayload(people.contract('stone'), 'transfer', args), { mode: 'allow' });
};

const trade: Deed = (people, who) => {
  const gives = people.random.chance(2) ? 'stx' : 'stone';
  const amount = BigInt(100_000 + people.random.below(gives === 'stx' ? 20_000_000 : 1_000_000));
  people.send(who, callPayload(people.contract('pool'), `swap-${gives}`, [uint(amount), uint(1)]), { mode: 'allow' });
};

/** Nothing says that STX may leave: the trade works, and is undone. */
const tradeWithoutLeave: Deed = (people, who) => {
  people.send(who, callPayload(people.contract('pool'), 'swap-stx', [uint(1_000_000), uint(1)]), {
    conditions: [atMost(999_999n)],
  });
};

const mintMarble: Deed = (people, who) => {
  people.send(who, callPayload(people.contract('marbles'), 'mint', []), { conditions: [atMost(mintPrice)] });
};

const giveMarble: Deed = (people, who) => {
  const contract = people.contract('marbles');
  const asset = marbleOf(contract);
  const mine = [...people.node.state.nft].find(
    ([key, owner]) => key.startsWith(`${asset} `) && owner === people.address(who),
  );
  if (!mine) return mintMarble(people, who);
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
  const burns = people.random.chance(6);
  const to = principal(people.address(other(people, who)));
  const args = burns ? [id] : [id, principal(people.address(who)), to];
  people.send(who, callPayload(contract, burns ? 'burn' : 'transfer', args), { conditions });
};

const stack: Deed = (people, who) => {
  if (!stackAlone(people, who)) pay(people, who);
};

const pool: Deed = (people, who) => {
  if (!stackInPool(people, who)) pay(people, who);
};

/** Pays little, then thinks better of it. */
const replace: Deed = (people, who) => {
  const nonce = people.nextNonce(who);
  const to = people.address(other(people, who));
  people.send(who, transferPayload(to, 1_234_567n, 'slow'), { nonce, fee: 250n });
  people.send(who, transferPayload(to, 1_234_567n, 'fast'), { nonce, fee: 2_500n });
};

/** Each of these is refused at the door. */
const blunder: Deed = (people, who) => {
  const to = people.address(other(people, who));
  const used = people.node.state.nonce(people.address(who)) - 1n;
  if (used >= 0n) people.send(who, transferPayload(to, 5n), { nonce: used });
  people.send(who, transferPayload(to, 5n), { fee: 1n });
  people.send(who, transferPayload(to, 10n ** 17n));
};

/** A nonce too far: it waits until the ones before it come. */
const hurry: Deed = (people, who) => {
  const to = people.address(other(people, who));
  people.send(who, transferPayload(to, 77n, 'too early'), { nonce: people.nextNonce(who) + 2n });
};

const publish: Deed = (people, who) => {
  const broken = people.random.chance(3);
  const source = `;; note ${people.round}\n(define-constant words "${people.random.pick(words)}"${broken ? '))' : ')'}\n`;
  people.send(who, deployPayload(`note-${people.round}`, source), { mode: 'allow' });
};

/** Shows two microblocks of one sequence that a miner signed, as one could until epoch 2.5. */
export const reportMiner: Deed = (people, who) => {
  const header = (fill: number) => ({
    version: 0,
    sequence: 1,
    previousHash: fromHex(people.node.tip.hash),
    transactionMerkleRoot: new Uint8Array(32).fill(fill),
    signature: new Uint8Array(65).fill(fill),
  });
  const payload: Payload = { type: 'poison_microblock', header1: header(1), header2: header(2) };
  people.send(who, payload, { mode: 'allow' });
};

/** What residents do; the ordinary comes more often. */
export const deeds: readonly Deed[] = [
  ...[pay, replace, trade, tradeWithoutLeave, giveStones, giveTooMuch, pay, stack, mintMarble, hurry, useName],
  ...[trade, publish, giveMarble, pool, blunder, useToken, giveStones, pay, replace, trade],
];
