import { type BnsRole, bnsContract } from '../../chain/names/name.ts';
import { bootAddress, type Network } from '../../network.ts';
import type { BranchState } from '../chain/branch-state.ts';
import type { BootContract } from '../chain/genesis.ts';
import { collectionModel } from './collection-model.ts';
import { type ContractModel, interfaceOf } from './contract-model.ts';
import { fungibleModel } from './fungible-model.ts';
import { namesModel } from './names/names-model.ts';
import { namesV2Model } from './names/names-v2-model.ts';
import { zonefileModel } from './names/zonefile-model.ts';
import { costVotingModel, firstPoxModel } from './outlined-models.ts';
import { poolModel } from './pool-model.ts';
import { poxModel } from './pox/pox-model.ts';
import { userModel } from './user-contract.ts';

/** Models that anybody may deploy: the source is what makes a contract one of them. */
export const deployable: readonly ContractModel[] = [fungibleModel, collectionModel, poolModel];

const boot: readonly ContractModel[] = [firstPoxModel, poxModel, namesModel, costVotingModel];
/** Contracts that others than the boot address deployed before the devnet began. */
const settled: readonly { role: BnsRole; model: ContractModel }[] = [
  { role: 'v2', model: namesV2Model },
  { role: 'resolver', model: zonefileModel },
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
  return settled.find(({ role }) => bnsContract(role, mainnet) === contract)?.model;
}

/** The modelled contracts that are there from the beginning. */
export const initialContracts = (mainnet: boolean): readonly BootContract[] => [
  ...boot.map(bootContractOf),
  ...settled.map(({ role, model }) => ({
    ...bootContractOf(model),
    deployer: bnsContract(role, mainnet).split('.')[0]!,
  })),
];

const bootContractOf = (model: ContractModel): BootContract => ({
  name: model.name,
  source: model.source,
  contractInterface: interfaceOf(model, true),
});
