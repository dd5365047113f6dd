import {
  boolOf,
  bytesOf,
  type Fields,
  fieldsOf,
  itemsOf,
  principalOf,
  printedFields,
  textOf,
  uintOf,
} from '../print-fields.ts';

/** The origin of a row of a staker's position. Never renumber. */
export const positionCauses = {
  stake: 1,
  'stake-update': 2,
  unstake: 3,
  'register-for-bond': 4,
  'update-bond-registration': 5,
  'unstake-sbtc': 6,
  'announce-l1-early-exit': 7,
} as const;
type PositionCause = keyof typeof positionCauses;

/** A change of a staker: the position after it, as far as the print contains it; without a bond, only STX are staked. */
export type StakingPosition = {
  kind: 'position';
  cause: PositionCause;
  staker: string;
  signer: string | undefined;
  bond: bigint | undefined;
  stx: bigint | undefined;
  sats: bigint | undefined;
  firstCycle: bigint | undefined;
  unlockCycle: bigint | undefined;
  unlockHeight: bigint | undefined;
  /** Cycles that the step decides on, where it counts them. */
  cycles: bigint | undefined;
  /** Its bitcoin stay on the Bitcoin chain. */
  l1: boolean;
};

/** A print of pox-5 that the tables know. */
export type StakingPrint =
  | StakingPosition
  | {
      kind: 'bond';
      bond: bigint;
      targetRate: bigint;
      stxValueRatio: bigint;
      minimumStxRatio: bigint;
      firstCycle: bigint | undefined;
      startHeight: bigint | undefined;
      unlockCycle: bigint | undefined;
      unlockHeight: bigint | undefined;
    }
  | { kind: 'allowance'; bond: bigint; staker: string; maxSats: bigint }
  | { kind: 'signer'; signer: string; key: Uint8Array }
  | { kind: 'grant'; signer: string; key: Uint8Array; authId: bigint; active: boolean }
  /** Rewards for all holders of a bond, or without one for all stakers of a cycle, in proportion to their positions. */
  | {
      kind: 'distribution';
      bond: bigint | undefined;
      cycle: bigint | undefined;
      rewards: bigint;
      shares: bigint;
      calculationHeight: bigint | undefined;
    }
  | {
      kind: 'claim';
      staker: string;
      signer: string | undefined;
      bond: bigint | undefined;
      cycle: bigint | undefined;
      sats: bigint;
    }
  /** A signer manager fetched the rewards of its stakers; without a bond, of those who stake STX alone. */
  | { kind: 'signer claim'; signer: string; cycle: bigint; earned: { bond: bigint | undefined; sats: bigint }[] };

/** Reads a print of pox-5; undefined when the tables have no place for it. */
export function readStakingPrint(value: Uint8Array): StakingPrint | undefined {
  const fields = printedFields(value);
  const topic = textOf(fields?.get('topic'));
  if (!fields || topic === undefined) return undefined;
  if (Object.hasOwn(positionCauses, topic)) return positionOf(topic as PositionCause, fields);
  const uint = (key: string) => uintOf(fields.get(key));
  const bond = uint('bond-index');
  const staker = principalOf(fields.get('staker'));
  const manager = principalOf(fields.get('signer-manager'));
  const key = bytesOf(fields.get('signer-key'));
  switch (topic) {
    case 'setup-bond':
      if (bond === undefined) return undefined;
      return {
        kind: 'bond',
        bond,
        targetRate: uint('target-rate') ?? 0n,
        stxValueRatio: uint('stx-value-ratio') ?? 0n,
        minimumStxRatio: uint('min-ustx-ratio') ?? 0n,
        firstCycle: uint('first-reward-cycle'),
        startHeight: uint('bond-start-height'),
        unlockCycle: uint('unlock-cycle'),
        unlockHeight: uint('unlock-burn-height'),
      };
    case 'add-to-allowlist':
      if (bond === undefined || staker === undefined) return undefined;
      return { kind: 'allowance', bond, staker, maxSats: uint('max-sats') ?? 0n };
    case 'register-signer': {
      const signer = principalOf(fields.get('signer'));
      return signer === undefined || !key ? undefined : { kind: 'signer', signer, key };
    }
    case 'grant-signer-key':
    case 'revoke-signer-grant':
      if (manager === undefined || !key) return undefined;
      return {
        kind: 'grant',
        signer: manager,
        key,
        authId: uint('auth-id') ?? 0n,
        active: topic === 'grant-signer-key',
      };
    case 'calculate-rewards':
      return {
        kind: 'distribution',
        bond: undefined,
        cycle: uint('stx-cycle'),
        rewards: uint('total-stx-staker-rewards') ?? 0n,
        shares: uint('cycle-staked-ustx') ?? 0n,
        calculationHeight: uint('calculation-height'),
      };
    case 'bond-distribution':
      if (bond === undefined) return undefined;
      return {
        kind: 'distribution',
        bond,
        cycle: undefined,
        rewards: uint('bond-rewards') ?? 0n,
        shares: uint('bond-staked-sats') ?? 0n,
        calculationHeight: undefined,
      };
    case 'claim-staker-rewards-for-signer':
      if (staker === undefined) return undefined;
      return {
        kind: 'claim',
        staker,
        signer: manager,
        bond,
        cycle: uint('reward-cycle'),
        sats: uint('rewards-claimed') ?? 0n,
      };
    case 'claim-rewards': {
      const cycle = uint('reward-cycle');
      if (manager === undefined || cycle === undefined) return undefined;
      const alone = { bond: undefined, sats: earnedOf(fieldsOf(fields.get('stx-rewards'))) };
      const bonds = itemsOf(fields.get('bond-rewards')).flatMap(item => {
        const entry = fieldsOf(item);
        const index = uintOf(entry.get('bond-index'));
        return index === undefined ? [] : [{ bond: index, sats: earnedOf(entry) }];
      });
      return { kind: 'signer claim', signer: manager, cycle, earned: [alone, ...bonds] };
    }
    default:
      return undefined;
  }
}

const earnedOf = (fields: Fields) => uintOf(fields.get('earned')) ?? 0n;

function positionOf(cause: PositionCause, fields: Fields): StakingPosition | undefined {
  const uint = (key: string) => uintOf(fields.get(key));
  const staker = principalOf(fields.get('staker'));
  if (staker === undefined) return undefined;
  return {
    kind: 'position',
    cause,
    staker,
    signer: principalOf(fields.get('signer')),
    bond: uint('bond-index'),
    stx: uint('amount-ustx'),
    // After an early exit no bitcoin count any more; only the STX stay until the end of the bond.
    sats:
      cause === 'announce-l1-early-exit' ? 0n : (uint('sats-total') ?? uint('amount-sats') ?? uint('new-amount-sats')),
    firstCycle: uint('first-reward-cycle'),
    unlockCycle: uint('unlock-cycle'),
    unlockHeight: uint('unlock-burn-height'),
    cycles: uint('num-cycles'),
    l1: boolOf(fields.get('is-l1-lock')) ?? false,
  };
}

/** A Bitcoin output that proves a lock-up. */
export type LockupOutput = { txId: Uint8Array; index: number };

/** The Bitcoin outputs that a registration for a bond names. */
export function lockupOutputs(value: Uint8Array): LockupOutput[] {
  const lockup = fieldsOf(printedFields(value)?.get('btc-lockup'));
  return itemsOf(lockup.get('txs')).flatMap(item => {
    const output = fieldsOf(item);
    const txId = bytesOf(output.get('txid') ?? output.get('tx-id'));
    const index = uintOf(output.get('output-index') ?? output.get('vout'));
    return txId ? [{ txId, index: Number(index ?? 0n) }] : [];
  });
}
