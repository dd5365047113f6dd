import { parsePrincipal } from '@cairn-stacks/codec/address/principal';
import { uint } from '@cairn-stacks/codec/clarity/build';
import { encodeClarity } from '@cairn-stacks/codec/clarity/encode';
import { fromHex } from '@cairn-stacks/codec/hex';
import { callPayload, transferPayload } from '@cairn-stacks/codec/transaction/build';
import type { Payload } from '@cairn-stacks/codec/transaction/payload';
import type { PostCondition } from '@cairn-stacks/codec/transaction/post-condition';
import { decodeTransaction, type PostConditionMode } from '@cairn-stacks/codec/transaction/transaction';
import { accountAt } from '@cairn-stacks/devnet/chain/account';
import { makeTransaction } from '@cairn-stacks/devnet/residents/wallet';
import { expect, test } from 'vitest';
import { balanceChanges } from '../../src/chain/balance-changes.ts';
import type { ChainEvent } from '../../src/chain/event.ts';
import { postConditionOutcome } from '../../src/chain/post-condition-outcome.ts';

const [alice, bob] = [0, 1].map(index => accountAt(index, false).address) as [string, string];
const contract = `${bob}.shop`;
const [gold, art] = [`${contract}::gold`, `${contract}::art`];
const five = encodeClarity(uint(5));
const asset = (name: string) => ({ contract: { ...parsePrincipal(contract), name: 'shop' }, asset: name });
const origin = { type: 'origin' } as const;

function transactionOf(
  postConditions: PostCondition[],
  postConditionMode: PostConditionMode = 'deny',
  payload: Payload = callPayload(contract, 'buy?', []),
) {
  const { raw } = makeTransaction({
    network: { name: 'testnet', chainId: 0x8000_0000, mainnet: false },
    origin: { account: accountAt(0, false), nonce: 0n },
    ...{ fee: 9n, payload, sign: false, postConditions, postConditionMode },
  });
  return decodeTransaction(fromHex(raw));
}

const memo = new Uint8Array(0);
const events: ChainEvent[] = [
  { kind: 'stx_transfer', sender: alice, recipient: contract, amount: 30n, memo },
  { kind: 'stx_transfer', sender: contract, recipient: alice, amount: 4n, memo },
  { kind: 'stx_burn', sender: alice, amount: 1n },
  { kind: 'ft_transfer', asset: gold, sender: contract, recipient: alice, amount: 2n },
  { kind: 'ft_mint', asset: gold, recipient: alice, amount: 3n },
  { kind: 'nft_transfer', asset: art, sender: alice, recipient: bob, value: five },
  { kind: 'nft_transfer', asset: art, sender: bob, recipient: alice, value: five },
  { kind: 'print', contract, value: five },
  { kind: 'stx_lock', principal: bob, amount: 50n, unlockHeight: 9, contract: '' },
  { kind: 'unknown', type: 'dream_event', body: '{}' },
];

test('balance changes are the sums of all events and the fee, by principal and asset', () => {
  const changes = balanceChanges(events, { payer: bob, amount: 9n });
  const stx = { type: 'stx' };
  expect(changes).toEqual([
    { principal: bob, asset: stx, sent: 9n, received: 0n },
    { principal: bob, asset: { type: 'nft', identifier: art }, sent: 1n, received: 1n },
    { principal: alice, asset: stx, sent: 31n, received: 4n },
    { principal: alice, asset: { type: 'ft', identifier: gold }, sent: 0n, received: 5n },
    { principal: alice, asset: { type: 'nft', identifier: art }, sent: 1n, received: 1n },
    { principal: contract, asset: stx, sent: 4n, received: 30n },
    { principal: contract, asset: { type: 'ft', identifier: gold }, sent: 2n, received: 0n },
  ]);
  expect(balanceChanges([], { payer: alice, amount: 0n })).toEqual([]);
});

const conditions: PostCondition[] = [
  { type: 'stx', principal: origin, condition: 'sent_less_than_or_equal_to', amount: 31n },
  { type: 'fungible', principal: origin, asset: asset('gold'), condition: 'sent_equal_to', amount: 0n },
  {
    type: 'fungible',
    principal: { type: 'contract', ...parsePrincipal(contract) },
    asset: asset('gold'),
    condition: 'sent_greater_than',
    amount: 1n,
  },
  { type: 'non_fungible', principal: origin, asset: asset('art'), value: five, condition: 'sent' },
  { type: 'staking', principal: { type: 'standard', ...parsePrincipal(bob) }, condition: 'sent_equal_to', amount: 50n },
  { type: 'pox', principal: origin, condition: 'maybe_performed' },
];

test('of a success each post-condition holds, with what moved, and the rest is named', () => {
  const outcome = postConditionOutcome(transactionOf(conditions, 'allow'), 'success', events);
  expect(outcome.held).toBe(true);
  expect(outcome.conditions.map(({ holds, moved }) => [holds, moved])).toEqual([
    [true, 31n],
    [true, 0n],
    [true, 2n],
    [true, 1n],
    [true, 50n],
    [true, undefined],
  ]);
  expect(outcome.uncovered).toEqual([
    { principal: contract, asset: { type: 'stx' }, amount: 4n },
    { principal: bob, asset: { type: 'nft', identifier: art }, item: five, amount: 1n },
  ]);
});

test('of an aborted transaction only a single condition is known to have failed', () => {
  const [first] = conditions;
  const held = (given: PostCondition[], mode: PostConditionMode) => {
    const { held, conditions, uncovered } = postConditionOutcome(
      transactionOf(given, mode),
      'abort_by_post_condition',
      [],
    );
    return [held, conditions.map(({ holds }) => holds), uncovered];
  };
  expect(held([first!], 'allow')).toEqual([false, [false], []]);
  // What left somebody else may be the reason.
  expect(held([first!], 'deny')).toEqual([false, [undefined], []]);
  expect(held(conditions.slice(0, 2), 'allow')).toEqual([false, [undefined, undefined], []]);
  expect(postConditionOutcome(transactionOf([first!]), 'abort_by_response', [])).toMatchObject({
    held: undefined,
    conditions: [{ holds: undefined }],
  });
});

test('a transfer of STX needs no post-condition', () => {
  const outcome = postConditionOutcome(transactionOf([], 'deny', transferPayload(bob, 30n)), 'success', [
    { kind: 'stx_transfer', sender: alice, recipient: bob, amount: 30n, memo },
  ]);
  expect(outcome).toEqual({ held: true, conditions: [], uncovered: [] });
});
