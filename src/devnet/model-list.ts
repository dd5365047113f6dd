import { bootAddress, type Network } from '../chain/network.ts';
import type { BranchState } from './branch-state.ts';
import { collectionModel } from './collection-model.ts';
import { type ContractModel, interfaceOf } from './contract-model.ts';
import { fungibleModel } from './fungible-model.ts';
import type { BootContract } from './genesis.ts';
import { namesModel } from './names-model.ts';
import { poolModel } from './pool-model.ts';
import { poxModel } from './pox-model.ts';

/** Models that anybody may deploy: the source is what makes a contract one of them. */
export const deployable: readonly ContractModel[] = [fungibleModel, collectionModel, poolModel];

const boot: readonly ContractModel[] = [poxModel, namesModel];
const bySource = new Map(deployable.map(model => [model.source, model]));
const byName = new Map(deployable.map(model => [model.name, model]));

const modelKey = (contract: string) => `${contract} model`;

/** The model of a source text, if it is one. */
export const modelOfSource = (source: string): ContractModel | undefined => bySource.get(source);

/** Notes which model a deployed contract is. */
export function noteModel(state: BranchState, contract: string, model: ContractModel): void {
  state.data.set(modelKey(contract), model.name);
}

/** The model that runs for a contract; undefined for all that nobody has modelled. */
export function modelOf(state: BranchState, contract: string, network: Network): ContractModel | undefined {
  const [address, name] = contract.split('.');
  if (address === bootAddress(network.mainnet)) return boot.find(model => model.name === name);
  return byName.get(state.data.get(modelKey(contract)) ?? '');
}

/** The modelled contracts that are there from the beginning. */
export const bootContracts: readonly BootContract[] = boot.map(model => ({
  name: model.name,
  source: model.source,
  contractInterface: interfaceOf(model, true),
}));
