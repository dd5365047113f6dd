import { principal, uint } from '../../codec/clarity/build.ts';
import { callPayload } from '../../codec/transaction/build.ts';
import { launchNamespaces } from './naming-actions.ts';
import type { Population } from './population.ts';
import { deployer, residents } from './population.ts';

/** The first rounds: contracts, namespaces, coins for everybody and a pool to trade in. False when all is done. */
export function foundation(people: Population): boolean {
  const { node } = people;
  if (people.round === 1) {
    people.deployModels();
    launchNamespaces(people);
    return true;
  }
  if (!node.state.contracts.has(people.contract('pool'))) return node.tip.height < 5;
  const stones = node.state.held(people.contract('pool'), `${people.contract('stone')}::stone`);
  if (stones > 0n || people.node.mempool.list().some(({ sender }) => sender === people.address(deployer))) return false;
  const mint = (to: number) =>
    callPayload(people.contract('stone'), 'mint', [uint(900_000_000), principal(people.address(to))]);
  for (const index of residents) people.send(deployer, mint(index));
  people.send(deployer, mint(deployer));
  const liquidity = callPayload(people.contract('pool'), 'add-liquidity', [uint(5_000_000_000), uint(800_000_000)]);
  people.send(deployer, liquidity, { mode: 'allow' });
  return true;
}
