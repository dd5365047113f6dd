import type { AbiType } from '../../../codec/clarity/abi.ts';
import { none, some, uint } from '../../../codec/clarity/build.ts';
import { type ContractModel, principalArg } from '../contract-model.ts';
import { poxAddressType } from './abi.ts';
import { cycleOf } from './cycle.ts';
import { poolFunctions } from './pool.ts';
import { soloFunctions } from './solo.ts';
import { poxSource } from './source.ts';
import { delegationOf, stackerInfo } from './stacking.ts';

const delegationType: AbiType = {
  tuple: [
    { name: 'amount-ustx', type: 'uint128' },
    { name: 'delegated-to', type: 'principal' },
    { name: 'pox-addr', type: { optional: poxAddressType } },
    { name: 'until-burn-ht', type: { optional: 'uint128' } },
  ],
};

const stackingType: AbiType = {
  tuple: [
    { name: 'delegated-to', type: { optional: 'principal' } },
    { name: 'first-reward-cycle', type: 'uint128' },
    { name: 'lock-period', type: 'uint128' },
    { name: 'pox-addr', type: poxAddressType },
    { name: 'reward-set-indexes', type: { list: { type: 'uint128', length: 12 } } },
  ],
};

/** The model of pox-4: stacking alone, or through a pool. */
export const poxModel: ContractModel = {
  name: 'pox-4',
  source: poxSource,
  functions: {
    ...soloFunctions,
    ...poolFunctions,
    'current-pox-reward-cycle': {
      access: 'read_only',
      args: [],
      returns: 'uint128',
      run: ({ burnHeight }) => ({ result: uint(cycleOf(burnHeight)) }),
    },
    'get-delegation-info': {
      access: 'read_only',
      args: [['stacker', 'principal']],
      returns: { optional: delegationType },
      run(context, args) {
        const delegation = delegationOf(context, principalArg(args, 0));
        return { result: delegation ? some(delegation) : none };
      },
    },
    'get-stacker-info': {
      access: 'read_only',
      args: [['stacker', 'principal']],
      returns: { optional: stackingType },
      run(context, args) {
        const info = stackerInfo(context, principalArg(args, 0));
        return { result: info ? some(info) : none };
      },
    },
  },
};
