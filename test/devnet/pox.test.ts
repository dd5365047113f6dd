import { buffer, none, principal, some, tuple, uint } from '@cairn-stacks/codec/clarity/build';
import type { ClarityValue } from '@cairn-stacks/codec/clarity/value';
import { decodeClarity } from '@cairn-stacks/codec/clarity/value';
import { callPayload } from '@cairn-stacks/codec/transaction/build';
import type { ConsentTopic } from '@cairn-stacks/codec/transaction/signer-consent';
import { signerConsentHash } from '@cairn-stacks/codec/transaction/signer-consent';
import { signHash } from '@cairn-stacks/codec/transaction/signing';
import { accountAt } from '@cairn-stacks/devnet/chain/account';
import { cycleOf } from '@cairn-stacks/devnet/contracts/pox/cycle';
import { poxErrors } from '@cairn-stacks/devnet/contracts/pox/errors';
import { expect, test } from 'vitest';
import { testDevnet } from '../support/devnet.ts';
import { serveChain } from '../support/served-chain.ts';

const contract = 'ST000000000000000000002AMW42H.pox-4';
const [alice, bob] = [accountAt(0, false), accountAt(1, false)];
const address = tuple({ version: buffer(Uint8Array.of(0)), hashbytes: buffer(new Uint8Array(20).fill(9)) });
const stx = 1_000_000n;

/** A devnet without residents, on which calls are made one by one. */
function quietDevnet() {
  const devnet = testDevnet({ sign: true });
  const { node, send } = devnet;
  node.mine({ tenure: 'new' });
  const consent = (topic: ConsentTopic, period: number, { cycle = 0, key = alice.key, authId = 1n } = {}) => {
    const rewardCycle = cycleOf(node.tip.burn.height) + cycle;
    const terms = { topic, period, rewardCycle, authId, maxAmount: 10n ** 15n, poxAddress: address };
    const signature = signHash(signerConsentHash(terms, node.network.chainId), key.secret);
    const turned = Uint8Array.of(...signature.subarray(1), signature[0]!);
    return [some(buffer(turned)), buffer(alice.publicKey), uint(terms.maxAmount), uint(authId)];
  };
  /** Calls and mines; the number of the error, or 'ok'. */
  const call = (from: number, name: string, args: ClarityValue[]) => {
    const sent = send(from, callPayload(contract, name, args));
    if (!('txId' in sent)) throw new Error(JSON.stringify(sent));
    // Tenures of two blocks: what was sent waits for the second one.
    node.mine({ tenure: 'same' });
    node.mine({ tenure: 'same' });
    const mined = [node.tip, node.tip.parent!].flatMap(block => block.transactions).find(t => t.txId === sent.txId)!;
    const result = decodeClarity(mined.result);
    return result.type === 'err' && result.value.type === 'int' ? Number(result.value.value) : result.type;
  };
  const start = () => uint(node.tip.burn.height);
  return { ...devnet, consent, call, start };
}

test('stacking alone locks, grows and lasts longer, with the consent of a signer', async t => {
  const { node, posted, call, consent, start } = quietDevnet();
  const stack = (amount: bigint, signer: ClarityValue[]) => [uint(amount), address, start(), uint(2), ...signer];
  expect(call(0, 'stack-stx', stack(100_000n * stx, [none, ...consent('stack-stx', 2).slice(1)]))).toBe(
    poxErrors.notAllowed,
  );
  expect(call(0, 'stack-stx', stack(100_000n * stx, consent('stack-stx', 3)))).toBe(poxErrors.signatureKey);
  expect(call(0, 'stack-stx', stack(100_000n * stx, consent('stack-stx', 2, { key: bob.key })))).toBe(
    poxErrors.signatureKey,
  );
  expect(call(0, 'stack-stx', stack(10n * stx, consent('stack-stx', 2)))).toBe(poxErrors.thresholdNotMet);
  expect(call(0, 'stack-increase', [uint(1), ...consent('stack-increase', 2)])).toBe(poxErrors.increaseNotLocked);
  expect(call(0, 'stack-extend', [uint(1), address, ...consent('stack-extend', 1)])).toBe(poxErrors.extendNotLocked);

  expect(call(0, 'stack-stx', stack(100_000n * stx, consent('stack-stx', 2)))).toBe('ok');
  expect(node.state.locked.get(alice.address)).toBe(100_000n * stx);
  expect(call(0, 'stack-stx', stack(100_000n * stx, consent('stack-stx', 2)))).toBe(poxErrors.alreadyStacked);
  expect(call(0, 'stack-increase', [uint(5n * stx), ...consent('stack-increase', 2)])).toBe('ok');
  expect(call(0, 'stack-increase', [uint(5n * stx), ...consent('stack-increase', 2)])).toBe(poxErrors.authUsed);
  const before = node.state.unlocks.get(alice.address)!;
  expect(call(0, 'stack-extend', [uint(1), address, ...consent('stack-extend', 1)])).toBe('ok');
  expect(node.state.unlocks.get(alice.address)).toBe(before + 20);
  expect(call(0, 'stack-extend', [uint(12), address, ...consent('stack-extend', 12)])).toBe(
    poxErrors.invalidLockPeriod,
  );

  const api = await serveChain(t, posted);
  expect(await api.get(`/extended/v2/addresses/${alice.address}/balances/stx`)).toMatchObject({
    locked: String(100_005n * stx),
    burnchain_unlock_height: before + 20,
  });
  const { results } = await api.get('/extended/v1/pox4/events');
  expect(results.map((event: { name: string }) => event.name)).toEqual(['stack-extend', 'stack-increase', 'stack-stx']);
  expect(results[0]).toMatchObject({
    stacker: alice.address,
    locked: String(100_005n * stx),
    burnchain_unlock_height: String(before + 20),
    data: { extend_count: '1', unlock_burn_height: String(before + 20) },
  });
});

test('a pool locks what was delegated to it, no more and no longer', async t => {
  const { node, posted, call, consent, start } = quietDevnet();
  const [stacker, pool] = [principal(bob.address), principal(alice.address)];
  const lock = (amount: bigint) => [stacker, uint(amount), address, start(), uint(1)];
  expect(call(0, 'delegate-stack-stx', lock(60_000n * stx))).toBe(poxErrors.permissionDenied);
  const until = some(uint(node.tip.burn.height + 60));
  expect(call(1, 'delegate-stx', [uint(80_000n * stx), pool, until, some(address)])).toBe('ok');
  expect(call(1, 'delegate-stx', [uint(80_000n * stx), pool, none, none])).toBe(poxErrors.alreadyDelegated);
  expect(call(0, 'delegate-stack-stx', lock(90_000n * stx))).toBe(poxErrors.delegationTooMuch);
  expect(call(0, 'delegate-stack-stx', lock(60_000n * stx))).toBe('ok');
  expect(call(0, 'delegate-stack-increase', [stacker, address, uint(30_000n * stx)])).toBe(poxErrors.delegationTooMuch);
  expect(call(0, 'delegate-stack-increase', [stacker, address, uint(10_000n * stx)])).toBe('ok');
  expect(call(0, 'delegate-stack-extend', [stacker, address, uint(5)])).toBe(poxErrors.delegationExpires);
  expect(call(0, 'delegate-stack-extend', [stacker, address, uint(1)])).toBe('ok');
  const next = cycleOf(node.tip.burn.height) + 1;
  const commit = (period: number, cycle = 1) => [address, uint(next), ...consent('agg-commit', period, { cycle })];
  expect(call(0, 'stack-aggregation-commit', commit(2))).toBe(poxErrors.signatureKey);
  expect(call(0, 'stack-aggregation-commit', commit(1))).toBe('ok');
  expect(call(0, 'stack-aggregation-commit', commit(1))).toBe(poxErrors.noSuchPrincipal);
  expect(call(1, 'revoke-delegate-stx', [])).toBe('ok');
  expect(call(1, 'revoke-delegate-stx', [])).toBe(poxErrors.alreadyRevoked);

  const api = await serveChain(t, posted);
  const { results } = await api.get('/extended/v1/pox4/events');
  expect(results.map((event: { name: string }) => event.name)).toEqual([
    'revoke-delegate-stx',
    'stack-aggregation-commit',
    'delegate-stack-extend',
    'delegate-stack-increase',
    'delegate-stack-stx',
    'delegate-stx',
  ]);
  expect(await api.get(`/extended/v2/addresses/${bob.address}/balances/stx`)).toMatchObject({
    locked: String(70_000n * stx),
  });
});

test('residents stack in every way there is, and what they sign holds', () => {
  const { node, posted, live } = testDevnet({ sign: true, seed: 4 });
  const missing = new Set([
    'stack-stx',
    'stack-increase',
    'stack-extend',
    'delegate-stx',
    'delegate-stack-stx',
    'stack-aggregation-commit',
  ]);
  // Residents choose at random: the rarest call may take a while.
  while (missing.size > 0 && node.tip.height < 500) {
    posted.length = 0;
    live(50);
    const calls = posted
      .filter(message => message.path === '/new_block')
      .flatMap(
        ({ body }) =>
          (body as { events: { contract_event?: { contract_identifier: string; raw_value: string } }[] }).events,
      )
      .filter(event => event.contract_event?.contract_identifier === contract)
      .map(event => Buffer.from(event.contract_event!.raw_value.slice(2), 'hex').toString('latin1'));
    for (const name of missing) if (calls.some(text => text.includes(name))) missing.delete(name);
  }
  expect([...missing]).toEqual([]);
});
