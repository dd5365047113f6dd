import { buffer, none, principal, some, tuple, uint } from '@cairn-stacks/codec/clarity/build';
import type { ClarityValue } from '@cairn-stacks/codec/clarity/value';
import { callPayload } from '@cairn-stacks/codec/transaction/build';
import { type ConsentTopic, signerConsentHash } from '@cairn-stacks/codec/transaction/signer-consent';
import { signHash } from '@cairn-stacks/codec/transaction/signing';
import { cycleOf } from '../contracts/pox/cycle.ts';
import { poolOperator } from './accounts.ts';
import type { Residents } from './residents.ts';

const poxAddress = (actor: number) =>
  tuple({ version: buffer(Uint8Array.of(0)), hashbytes: buffer(new Uint8Array(20).fill(actor)) });

const maxAmount = 2n ** 100n;

type Consent = { topic: ConsentTopic; rewardCycle: number; period: number };

/** The signer arguments of a call; each account is its own signer. */
function consentOf(residents: Residents, actor: number, consent: Consent): ClarityValue[] {
  const { key, publicKey } = residents.account(actor);
  const authId = BigInt(residents.round);
  const hash = signerConsentHash(
    { ...consent, poxAddress: poxAddress(actor), authId, maxAmount },
    residents.node.network.chainId,
  );
  const signs = residents.node.options.sign ?? true;
  const signature = signs ? signHash(hash, key.secret) : new Uint8Array(65);
  const turned = Uint8Array.of(...signature.subarray(1), signature[0]!);
  return [some(buffer(turned)), buffer(publicKey), uint(maxAmount), uint(authId)];
}

/** Stacks, or extends or increases what is locked; false if that is not possible. */
export function stackAlone(residents: Residents, actor: number): boolean {
  const { node, random } = residents;
  if (!node.chain.release.nakamoto) return false;
  const contract = residents.bootContract('pox-4');
  const [address, cycle] = [residents.address(actor), cycleOf(node.tip.burn.height)];
  const send = (name: string, args: ClarityValue[]) => residents.send(actor, callPayload(contract, name, args));
  if (!node.state.locked.has(address)) {
    const period = 1 + random.below(3);
    const amount = uint(BigInt(1 + random.below(9)) * 1_000_000_000_000n);
    const signer = consentOf(residents, actor, { topic: 'stack-stx', rewardCycle: cycle, period });
    return send('stack-stx', [amount, poxAddress(actor), uint(node.tip.burn.height), uint(period), ...signer]);
  }
  if (random.chance(2)) {
    const signer = consentOf(residents, actor, { topic: 'stack-extend', rewardCycle: cycle, period: 1 });
    return send('stack-extend', [uint(1), poxAddress(actor), ...signer]);
  }
  const period = periodOf(residents, address);
  const signer = consentOf(residents, actor, { topic: 'stack-increase', rewardCycle: cycle, period });
  return send('stack-increase', [uint(100_000_000_000n), ...signer]);
}

/** The number of cycles that an account has locked for, from the contract. */
function periodOf(residents: Residents, address: string): number {
  const info = residents.readOnly(residents.bootContract('pox-4'), 'get-stacker-info', [principal(address)]);
  const fields = info?.type === 'some' && info.value.type === 'tuple' ? info.value.entries : [];
  const period = fields.find(entry => entry.name === 'lock-period')?.value;
  return period?.type === 'uint' ? Number(period.value) : 0;
}

/** Delegates to the pool, which locks the STX, extends or increases the lock later, and commits it to the next cycle. */
export function stackInPool(residents: Residents, actor: number): boolean {
  const { node, random } = residents;
  if (!node.chain.release.nakamoto) return false;
  const contract = residents.bootContract('pox-4');
  const stacker = principal(residents.address(actor));
  const [height, cycle, address] = [node.tip.burn.height, cycleOf(node.tip.burn.height), poxAddress(poolOperator)];
  const asPool = (name: string, args: ClarityValue[]) =>
    residents.send(poolOperator, callPayload(contract, name, args));
  const delegated = residents.readOnly(contract, 'get-delegation-info', [stacker])?.type === 'some';
  if (node.state.locked.has(residents.address(actor))) {
    if (!delegated) return false;
    if (random.chance(3)) return residents.send(actor, callPayload(contract, 'revoke-delegate-stx', []));
    const longer = random.chance(2);
    asPool(longer ? 'delegate-stack-extend' : 'delegate-stack-increase', [
      stacker,
      address,
      uint(longer ? 1n : 50_000_000_000n),
    ]);
  } else {
    if (!delegated) {
      const delegate = [uint(5_000_000_000_000n), principal(residents.address(poolOperator)), none, none];
      if (!residents.send(actor, callPayload(contract, 'delegate-stx', delegate))) return false;
    }
    asPool('delegate-stack-stx', [stacker, uint(2_000_000_000_000n), address, uint(height), uint(1)]);
  }
  const consent = { topic: 'agg-commit', rewardCycle: cycle + 1, period: 1 } as const;
  return asPool('stack-aggregation-commit', [address, uint(cycle + 1), ...consentOf(residents, poolOperator, consent)]);
}
