import { bool, none, ok, uint } from '@cairn-stacks/codec/clarity/build';
import { bootAddress } from '@cairn-stacks/codec/network';
import { readOutline } from '../../clarity/outline.ts';
import {
  bindOutline,
  type CallContext,
  type ContractModel,
  fail,
  type Outcome,
  principalArg,
  type Run,
  uintArg,
} from '../contract-model.ts';
import { sbtcAsset } from '../sbtc/sbtc-address.ts';

import { announced } from './positions.ts';
import { stakerEarned } from './reward-functions.ts';
import { runStaking, type StakingRun, stakingDraft } from './run.ts';
import { stakingFunctions } from './staking-model.ts';

/** A call of pox-5 by the contract itself. */
function asContract(context: CallContext, run: StakingRun, args: Parameters<StakingRun>[2]): Outcome {
  const contract = `${bootAddress(context.mainnet)}.pox-5`;
  const inner = { ...context, contract, caller: context.contract };
  return runStaking(run, inner, stakingDraft(context, contract), args);
}

const { 'grant-signer-key': grant, 'register-signer': register, 'claim-rewards': claim } = stakingFunctions;
const claimForStaker = stakingFunctions['claim-staker-rewards-for-signer']!;

const outline = readOutline(`
(released Epoch33 Clarity3)
(type earnings {earned: uint, rewards-per-token: uint})
(type claimed {bond-rewards: (list 6 {bond-index: uint, earned: uint, rewards-per-token: uint}), bond-totals: uint,
  stx-rewards: earnings, total-rewards: uint})
(public claim-rewards ((bond-periods (list 6 uint)) (reward-cycle uint)) (response claimed uint))
(public pay-staker ((staker principal) (reward-cycle uint) (bond-index (optional uint))) (response earnings uint))
(public register-self ((signer-manager <contract>) (signer-key (buff 33)) (auth-id uint) (signer-sig (buff 65)))
  (response {signer: principal, signer-key: (buff 33)} uint))
(public validate-stake! ((staker principal) (first-index uint) (num-indexes uint) (amount-ustx uint) (amount-sats uint)
  (is-bond bool) (signer-calldata (optional (buff 500)))) (response bool never))
(read-only get-earned-staker-rewards ((staker principal) (reward-cycle uint) (bond-index (optional uint))) uint)
`);

const runs: Record<string, Run> = {
  'register-self'(context, args) {
    const [manager, key, authId, signature] = args;
    if (principalArg(args, 0) !== context.contract) return fail(401);
    const both: StakingRun = (inner, draft) => {
      const granted = grant!(inner, draft, [key!, manager!, authId!, signature!]);
      const registered = register!(inner, draft, [manager!, key!]);
      return { result: registered.result, events: [...(granted.events ?? []), ...(registered.events ?? [])] };
    };
    return asContract(context, both, []);
  },
  'claim-rewards': (context, args) => asContract(context, claim!, args),
  'pay-staker'(context, args) {
    const { state, contract, mainnet } = context;
    const paid = asContract(context, claimForStaker, args);
    if (paid.result.type !== 'ok' || paid.result.value.type !== 'tuple') return paid;
    const earned = uintArg([paid.result.value.entries.find(entry => entry.name === 'earned')?.value ?? none], 0);
    const asset = sbtcAsset(mainnet);
    if (earned === 0n || state.held(contract, asset) < earned) return fail(402);
    const transfer = {
      kind: 'ft_transfer',
      asset,
      sender: contract,
      recipient: principalArg(args, 0),
      amount: earned,
    } as const;
    // There is no fee: what the staker gets is what was claimed.
    const claimed = announced(contract, 'claim-staker-rewards', {
      'amount-sats': uint(earned),
      'bond-index': args[2]!,
      'l1-withdrawal': none,
      'reward-cycle': args[1]!,
      staker: args[0]!,
    });
    return { ...paid, events: [transfer, ...(paid.events ?? []), claimed] };
  },
  'validate-stake!': () => ({ result: ok(bool(true)) }),
  'get-earned-staker-rewards'(context, args) {
    const pox = `${bootAddress(context.mainnet)}.pox-5`;
    const index = args[2];
    const bond = index?.type === 'some' ? uintArg([index.value], 0) : undefined;
    const pool = { cycle: uintArg(args, 1), bond };
    return { result: uint(stakerEarned(stakingDraft(context, pox), pool, context.contract, principalArg(args, 0))) };
  },
};

/** A signer manager: it uses the key of a signer, accepts every staker, and pays stakers what it claims for them. */
export const signerManagerModel: ContractModel = {
  name: 'signer-manager',
  outline,
  functions: bindOutline(outline, runs),
  source: `;; Signer manager: a contract through which accounts stake by pox-5 with the key of one signer.
;; register-self grants and registers the key, claim-rewards fetches the sBTC of a cycle, pay-staker hands a staker its part.
`,
};
