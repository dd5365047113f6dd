import { principal, uint } from '@cairn-stacks/codec/clarity/build';
import { callPayload } from '@cairn-stacks/codec/transaction/build';
import { deployer, residentAccounts } from './accounts.ts';
import { launchNamespaces } from './naming-actions.ts';
import { decoyFee, type Residents } from './residents.ts';

/** Sends the transactions of the first rounds: contracts, namespaces, tokens for each resident, liquidity. False when done. */
export function runInitialSetup(residents: Residents): boolean {
  const { node } = residents;
  if (residents.round === 1) {
    residents.deployModels();
    launchNamespaces(residents);
    return true;
  }
  if (!node.state.contracts.has(residents.contract('pool'))) return node.tip.height < 5;
  const stones = node.state.held(residents.contract('pool'), `${residents.contract('stone')}::stone`);
  if (stones > 0n || residents.node.mempool.list().some(({ sender }) => sender === residents.address(deployer)))
    return false;
  const mint = (to: number) =>
    callPayload(residents.contract('stone'), 'mint', [uint(900_000_000), principal(residents.address(to))]);
  for (const index of residentAccounts) residents.send(deployer, mint(index));
  residents.send(deployer, mint(deployer));
  const decoys = [uint(1_000_000_000), principal(residents.address(residentAccounts[0]!))];
  residents.send(deployer, callPayload(residents.contract('decoy'), 'mint', decoys), { fee: decoyFee });
  const liquidity = callPayload(residents.contract('pool'), 'add-liquidity', [uint(5_000_000_000), uint(800_000_000)]);
  residents.send(deployer, liquidity, { mode: 'allow' });
  return true;
}
