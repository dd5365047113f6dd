import { bnsContract } from '@cairn-stacks/codec/bns-name';
import { bootAddress, type Network } from '@cairn-stacks/codec/network';
import type { BranchState } from '../chain/branch-state.ts';
import type { BootContract } from '../chain/genesis.ts';
import { collectionModel } from './collection-model.ts';
import { type ContractModel, interfaceOf } from './contract-model.ts';
import { decoyModel } from './decoy-model.ts';
import { fungibleModel } from './fungible-model.ts';
import { namesModel } from './names/names-model.ts';
import { namesV2Model } from './names/names-v2-model.ts';
import { zonefileModel } from './names/zonefile-model.ts';
import { costVotingModel, firstPoxModel } from './outlined-models.ts';
import { pebbleModel } from './pebble-model.ts';
import { poolModel } from './pool-model.ts';
import { poxModel } from './pox/pox-model.ts';
import { sbtcDeployer } from './sbtc/sbtc-address.ts';
import { sbtcBootstrapSignersModel } from './sbtc/sbtc-bootstrap-signers-model.ts';
import { sbtcDepositModel } from './sbtc/sbtc-deposit-model.ts';
import { sbtcRegistryModel } from './sbtc/sbtc-registry-model.ts';
import { sbtcTokenModel } from './sbtc/sbtc-token-model.ts';
import { sbtcWithdrawalModel } from './sbtc/sbtc-withdrawal-model.ts';
import { sendManyDeployer, sendManyMemoModel, sendManyModel } from './send-many-model.ts';
import { signerManagerModel } from './staking/signer-manager-model.ts';
import { stakingModel } from './staking/staking-model.ts';
import { userModel } from './user-contract.ts';

/** Models that anybody may deploy: the source is what makes a contract one of them. */
export const deployable: readonly ContractModel[] = [
  fungibleModel,
  collectionModel,
  poolModel,
  pebbleModel,
  signerManagerModel,
  decoyModel,
];

const boot: readonly ContractModel[] = [firstPoxModel, poxModel, stakingModel, namesModel, costVotingModel];
/** Contracts that others than the boot address deployed before the devnet began. */
const predeployed: readonly { deployer(mainnet: boolean): string; model: ContractModel }[] = [
  { deployer: mainnet => bnsContract('v2', mainnet).split('.')[0]!, model: namesV2Model },
  { deployer: mainnet => bnsContract('resolver', mainnet).split('.')[0]!, model: zonefileModel },
  { deployer: sbtcDeployer, model: sbtcTokenModel },
  { deployer: sbtcDeployer, model: sbtcRegistryModel },
  { deployer: sbtcDeployer, model: sbtcDepositModel },
  { deployer: sbtcDeployer, model: sbtcWithdrawalModel },
  { deployer: sbtcDeployer, model: sbtcBootstrapSignersModel },
  { deployer: sendManyDeployer, model: sendManyModel },
  { deployer: sendManyDeployer, model: sendManyMemoModel },
];
const bySource = new Map(deployable.map(model => [model.source, model]));
const byName = new Map(deployable.map(model => [model.name, model]));

const modelKey = (contract: string) => `${contract} model`;

/** The model of a source text, if it is one. */
export const modelOfSource = (source: string): ContractModel | undefined => bySource.get(source);

/** Notes which model a deployed contract is. */
export function recordModel(state: BranchState, contract: string, model: ContractModel): void {
  state.data.set(modelKey(contract), model.name);
}

/** The model that runs for a contract; undefined if there is no such contract. */
export function modelOf(state: BranchState, contract: string, network: Network): ContractModel | undefined {
  return (
    initialModel(contract, network) ??
    byName.get(state.data.get(modelKey(contract)) ?? '') ??
    userModel(state, contract)
  );
}

/** The model of a contract that is there from the beginning. */
export function initialModel(contract: string, { mainnet }: Network): ContractModel | undefined {
  const [address, name] = contract.split('.');
  if (address === bootAddress(mainnet)) return boot.find(model => model.name === name);
  return predeployed.find(({ deployer, model }) => model.name === name && deployer(mainnet) === address)?.model;
}

/** The modelled contracts that are there from the beginning. */
export const initialContracts = (mainnet: boolean): readonly BootContract[] => [
  ...boot.map(bootContractOf),
  ...predeployed.map(({ deployer, model }) => ({ ...bootContractOf(model), deployer: deployer(mainnet) })),
];

const bootContractOf = (model: ContractModel): BootContract => ({
  name: model.name,
  source: model.source,
  contractInterface: interfaceOf(model, true),
});
