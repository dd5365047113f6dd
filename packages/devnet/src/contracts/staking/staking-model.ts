import { buffer, uint } from '@cairn-stacks/codec/clarity/build';
import { readOutline } from '../../clarity/outline.ts';
import { bindOutline, type ContractModel, outlineSource, VmFailure } from '../contract-model.ts';
import { pox5Outline } from '../interfaces/pox-5.ts';
import { slotThreshold } from '../pox/cycle.ts';
import { bondFunctions } from './bond-functions.ts';
import { bondGap, bondLength, maxStakeCycles, precision, reserveRatio } from './bond-period.ts';
import { stakingErrorConstants } from './errors.ts';
import { initialVariables } from './initial-variables.ts';
import { stakingReads } from './reads.ts';
import { rewardFunctions } from './reward-functions.ts';
import { publicRuns } from './run.ts';
import { signerFunctions } from './signer-functions.ts';
import { stakeFunctions } from './stake-functions.ts';

const outline = readOutline(pox5Outline);

/** The public functions of pox-5, for contracts that call it. */
export const stakingFunctions = { ...stakeFunctions, ...bondFunctions, ...rewardFunctions, ...signerFunctions };

/** The model of pox-5: staking of STX alone, bonds, signer managers and rewards. */
export const stakingModel: ContractModel = {
  name: 'pox-5',
  source: outlineSource('pox-5', outline),
  outline,
  functions: bindOutline(outline, {
    ...publicRuns(stakingFunctions),
    ...stakingReads,
    'set-burnchain-parameters': () => {
      throw new VmFailure('the parameters are set from the beginning');
    },
  }),
  initial: initialVariables(false),
  constants: {
    ...stakingErrorConstants,
    BITCOIN_LOCKTIME_THRESHOLD: uint(500_000_000),
    BOND_GAP_CYCLES: uint(bondGap),
    BOND_LENGTH_CYCLES: uint(bondLength),
    MAX_NUM_CYCLES: uint(maxStakeCycles),
    PRECISION: uint(precision),
    RESERVE_RATIO: uint(reserveRatio),
    SIGNER_SET_MIN_USTX: uint(slotThreshold),
    SIP018_MSG_PREFIX: buffer(Buffer.from('SIP018')),
    STACKS_ADDR_VERSION_MAINNET: buffer(Uint8Array.of(22)),
    STACKS_ADDR_VERSION_TESTNET: buffer(Uint8Array.of(26)),
  },
};
