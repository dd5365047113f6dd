import { decodeNakamotoBlock, nakamotoBlockId } from '@cairn-stacks/codec/block/nakamoto-block';
import { none, principal, uint } from '@cairn-stacks/codec/clarity/build';
import { fromHex } from '@cairn-stacks/codec/hex';
import { callPayload, deployPayload, transferPayload } from '@cairn-stacks/codec/transaction/build';
import { accountAt } from '@cairn-stacks/devnet/chain/account';
import { messageText } from '@cairn-stacks/devnet/chain/message-text';
import { blockBytes } from '@cairn-stacks/devnet/chain/stored/block-record';
import { makeTransaction } from '@cairn-stacks/devnet/residents/wallet';
import { describe, expect, test } from 'vitest';
import { testDevnet } from '../support/devnet.ts';

const bob = accountAt(1, false).address;
const pay = (amount = 5n) => transferPayload(bob, amount, 'hi');
const reasonOf = (answer: object) => ('reason' in answer ? answer.reason : 'taken');

describe('what a node refuses, in its own words', () => {
  const { node, send } = testDevnet();
  const first = send(0, pay());
  node.mine();
  const other = { name: 'custom', chainId: 7, mainnet: false } as const;
  const contract = 'ST000000000000000000002AMW42H.pox-4';

  test.each([
    ['BadNonce', () => send(0, pay(), { nonce: 0n })],
    ['TooMuchChaining', () => send(0, pay(), { nonce: 28n })],
    ['FeeTooLow', () => send(0, pay(), { fee: 1n })],
    ['NotEnoughFunds', () => send(0, pay(10n ** 18n))],
    ['BadTransactionVersion', () => send(0, pay(), { network: other })],
    ['TransferRecipientCannotEqualSender', () => send(1, pay())],
    ['NoSuchContract', () => send(0, callPayload(`${bob}.nothing`, 'x', []))],
    ['NoSuchPublicFunction', () => send(0, callPayload(contract, 'x', []))],
    ['BadFunctionArgument', () => send(0, callPayload(contract, 'stack-stx', [uint(1)]))],
    ['Deserialization', () => node.submit(Uint8Array.of(1, 2, 3))],
    ['taken', () => send(0, pay(), { nonce: 27n })],
  ])('%s', (reason, submit) => {
    expect(reasonOf(first)).toBe('taken');
    const answer = submit();
    expect(reasonOf(answer)).toBe(reason);
    if ('reason' in answer) expect(answer).toMatchObject({ error: 'transaction rejected', txid: /^[0-9a-f]{64}$/ });
  });
});

test('a signature of somebody else is refused', () => {
  const { node } = testDevnet({ sign: true });
  const origin = { account: { ...accountAt(0, false), key: accountAt(1, false).key }, nonce: 0n };
  const { raw } = makeTransaction({ network: node.network, origin, fee: 1000n, payload: pay(), sign: true });
  expect(reasonOf(node.submit(fromHex(raw)))).toBe('SignatureValidation');
});

describe('the mempool', () => {
  test('replaces by a higher fee and says so; the same fee conflicts', () => {
    const { send, posted } = testDevnet();
    const cheap = send(0, pay(), { nonce: 0n });
    expect(reasonOf(send(0, pay(6n), { nonce: 0n }))).toBe('ConflictingNonceInMempool');
    const dear = send(0, pay(7n), { nonce: 0n, fee: 1001n });
    const drop = posted.at(-1)!;
    expect(drop.path).toBe('/drop_mempool_tx');
    const ids = { dropped_txids: [(cheap as { txId: string }).txId], new_txid: (dear as { txId: string }).txId };
    expect(drop.body).toEqual({ ...ids, reason: 'ReplaceByFee' });
  });

  test('forgets after 42 hours and 40 minutes', () => {
    const { node, send, posted, wait } = testDevnet();
    send(0, pay(), { nonce: 3n });
    wait(153_600);
    node.mine();
    expect(node.mempool.size).toBe(1);
    wait(1);
    node.mine();
    expect(node.mempool.size).toBe(0);
    expect(posted.find(message => message.path === '/drop_mempool_tx')?.body).toMatchObject({
      reason: 'StaleGarbageCollect',
    });
  });

  test('takes back what a fork leaves behind, and mines it again', () => {
    const { node, send } = testDevnet();
    for (let i = 0; i < 3; i++) node.mine();
    const { txId } = send(0, pay()) as { txId: string };
    node.mine();
    const mined = node.mine();
    expect(mined.transactions.some(each => each.txId === txId)).toBe(true);
    const branch = node.fork(2);
    expect(node.tip).toBe(branch.at(-1));
    expect(node.tip.height).toBe(mined.height + 1);
    expect(node.mempool.has(txId)).toBe(true);
    const again = node.mine().transactions.filter(each => each.txId === txId);
    expect(again.map(each => each.status)).toEqual(['success']);
  });
});

test('an unknown contract deploys, and calls that the devnet cannot run fail cleanly', () => {
  const { node, send } = testDevnet();
  send(0, deployPayload('mine', '(define-public (go) (stx-burn? u1 tx-sender))', 3), { fee: 5000n });
  node.mine();
  expect(node.state.contracts.has(`${accountAt(0, false).address}.mine`)).toBe(true);
  send(0, callPayload(`${accountAt(0, false).address}.mine`, 'go', []));
  node.mine();
  const last = node.mine().transactions.concat(node.tip.parent!.transactions);
  const failed = last.find(each => each.status === 'abort_by_response');
  expect(failed?.vmError).toMatch(/the devnet does not run go of .*\.mine: docs\/devnet\.md lists what it models/);
});

test('500 blocks show every state of a transaction, and the same seed makes the same chain', () => {
  const run = (blocks: number) => {
    const devnet = testDevnet();
    devnet.live(blocks);
    return devnet;
  };
  const { posted, node } = run(500);
  const receipts = posted
    .filter(message => message.path === '/new_block')
    .flatMap(message => (message.body as { transactions: { status: string }[] }).transactions);
  const statuses = new Set(receipts.map(receipt => receipt.status));
  expect([...statuses].sort()).toEqual(['abort_by_post_condition', 'abort_by_response', 'success']);
  expect(posted.some(({ body }) => 'reason' in body && body.reason === 'ReplaceByFee')).toBe(true);
  expect(posted.some(({ body }) => 'reward_set' in body && body.reward_set !== null)).toBe(true);
  expect(node.mempool.size).toBeGreaterThan(0);
  const some = run(30).posted.map(message => messageText(message.body));
  expect(posted.slice(0, some.length).map(message => messageText(message.body))).toEqual(some);
});

test('the bytes of a block decode to the block', () => {
  const { node, live } = testDevnet({ sign: true });
  live(4);
  const { header, transactions } = decodeNakamotoBlock(blockBytes(node.tip)!);
  expect(`0x${Buffer.from(nakamotoBlockId(header)).toString('hex')}`).toBe(node.tip.indexHash);
  expect(transactions).toHaveLength(node.tip.transactions.length);
});

test('in the era of microblocks there are streams and a poison microblock', () => {
  const { posted, live } = testDevnet({ release: '2.4' });
  live(30);
  expect(posted.some(message => message.path === '/new_microblocks')).toBe(true);
  const raws = posted
    .filter(message => message.path === '/new_block')
    .flatMap(message => (message.body as { transactions: { raw_result: string }[] }).transactions);
  // A tuple, not a response, is what a poison microblock results in.
  expect(raws.some(({ raw_result }) => raw_result.startsWith('0x0c'))).toBe(true);
});

test('a token transfer without enough tokens aborts by response, one that a post-condition forbids is undone', () => {
  const { node, residents, send, live } = testDevnet();
  live(6);
  const contract = residents.contract('stone');
  const args = [uint(1), principal(residents.address(0)), principal(residents.address(1)), none];
  const poor = send(0, callPayload(contract, 'transfer', args), { postConditionMode: 'allow' }) as { txId: string };
  const mint = [uint(10), principal(residents.address(0))];
  send(0, callPayload(contract, 'mint', mint));
  const undone = send(0, callPayload(contract, 'transfer', args), { postConditionMode: 'deny' }) as { txId: string };
  node.mine();
  node.mine();
  const statuses = new Map(
    [node.tip, node.tip.parent!].flatMap(block => block.transactions).map(each => [each.txId, each.status]),
  );
  expect([statuses.get(poor.txId), statuses.get(undone.txId)]).toEqual([
    'abort_by_response',
    'abort_by_post_condition',
  ]);
});
