import { bool, buffer, uint } from '@cairn-stacks/codec/clarity/build';
import { readOutline } from '../../clarity/outline.ts';
import { bindOutline, type ContractModel, outlineSource } from '../contract-model.ts';
import { pox4Outline } from '../interfaces/pox-4.ts';
import { allowanceFunctions } from './allowance.ts';
import { cycleLength, prepareLength } from './cycle.ts';
import { poxError, poxErrorConstants } from './errors.ts';
import { poolFunctions } from './pool.ts';
import { poxReads } from './reads.ts';
import { soloFunctions } from './solo.ts';

const outline = readOutline(pox4Outline);
const byte = (value: number) => buffer(Uint8Array.of(value));

/** The model of pox-4: stacking alone, or through a pool. */
export const poxModel: ContractModel = {
  name: 'pox-4',
  source: outlineSource('pox-4', outline),
  outline,
  functions: bindOutline(outline, {
    ...soloFunctions,
    ...poolFunctions,
    ...allowanceFunctions,
    ...poxReads,
    // The parameters are set from the beginning.
    'set-burnchain-parameters': () => poxError('notAllowed'),
  }),
  initial: {
    configured: bool(true),
    'first-burnchain-block-height': uint(0),
    'first-pox-4-reward-cycle': uint(0),
    'pox-prepare-cycle-length': uint(prepareLength),
    'pox-reward-cycle-length': uint(cycleLength),
  },
  constants: {
    ...poxErrorConstants,
    ADDRESS_VERSION_P2PKH: byte(0),
    ADDRESS_VERSION_P2SH: byte(1),
    ADDRESS_VERSION_P2WPKH: byte(2),
    ADDRESS_VERSION_P2WSH: byte(3),
    ADDRESS_VERSION_NATIVE_P2WPKH: byte(4),
    ADDRESS_VERSION_NATIVE_P2WSH: byte(5),
    ADDRESS_VERSION_NATIVE_P2TR: byte(6),
    MAX_ADDRESS_VERSION: uint(6),
    MAX_ADDRESS_VERSION_BUFF_20: uint(4),
    MAX_ADDRESS_VERSION_BUFF_32: uint(6),
    MIN_POX_REWARD_CYCLES: uint(1),
    MAX_POX_REWARD_CYCLES: uint(12),
    PREPARE_CYCLE_LENGTH: uint(prepareLength),
    REWARD_CYCLE_LENGTH: uint(cycleLength),
    SIP018_MSG_PREFIX: buffer(Buffer.from('SIP018')),
    STACKS_ADDR_VERSION_MAINNET: byte(22),
    STACKS_ADDR_VERSION_TESTNET: byte(26),
  },
};
