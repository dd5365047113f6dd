import { bnsContract } from '../../chain/names/name.ts';
import { bool, buffer, none, principal, some, uint } from '../../codec/clarity/build.ts';
import type { ClarityValue } from '../../codec/clarity/value.ts';
import { callPayload } from '../../codec/transaction/build.ts';
import type { PostCondition } from '../../codec/transaction/post-condition.ts';
import { nameHeldBy } from '../contracts/names/names-model.ts';
import { nameById, nameByText } from '../contracts/names/names-v2-state.ts';
import { label, namespaceCost, preorderHash } from '../contracts/names/namespace-model.ts';
import { deployer, type Population, residents } from './population.ts';

/** The namespaces in which names are registered, of the first and of the second naming contract. */
export const namespaces = { v1: 'cairn', v2: 'btc' } as const;

/** How both price their names: the shorter the dearer. */
const price = [4, 250, ...[6, 5, 4, 3, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1], 4, 4].map(number => uint(number));
const namePrice = 2_560_000n;
const salt = 'salt';

const mayBurn = (amount: bigint): PostCondition[] => [
  { type: 'stx', principal: { type: 'origin' }, condition: 'sent_less_than_or_equal_to', amount },
];

/** Preorders, reveals and launches a namespace of each contract. */
export function launchNamespaces(people: Population): void {
  const importer = principal(people.address(deployer));
  for (const [contract, namespace, launch, further] of [
    [people.bootContract('bns'), namespaces.v1, 'namespace-ready', []],
    [v2(people), namespaces.v2, 'namespace-launch', [none, bool(true), bool(false), bool(false)]],
  ] as [string, string, string, ClarityValue[]][]) {
    const cost = namespaceCost(namespace);
    const send = (name: string, args: ClarityValue[]) =>
      people.send(deployer, callPayload(contract, name, args), { conditions: mayBurn(cost) });
    send('namespace-preorder', [buffer(preorderHash(namespace, salt)), uint(cost)]);
    send('namespace-reveal', [label(namespace), label(salt), ...price, uint(5_000), importer, ...further]);
    send(launch, [label(namespace)]);
  }
}

const v2 = ({ node }: Population) => bnsContract('v2', node.network.mainnet);

/** Somebody else who has no name of the first contract yet. */
function nameless(people: Population): number | undefined {
  const { state } = people.node;
  return residents.find(index => !nameHeldBy(state, people.bootContract('bns'), people.address(index)));
}

/** Takes a name of the first contract, or does something with the one that is held. */
export function useName(people: Population, who: number): void {
  const contract = people.bootContract('bns');
  const send = (name: string, args: ClarityValue[], conditions: PostCondition[] = []) =>
    people.send(who, callPayload(contract, name, args), { conditions });
  const held = nameHeldBy(people.node.state, contract, people.address(who));
  if (held === undefined) {
    const fqn = `resident-${who}-${people.round}.${namespaces.v1}`;
    const [name = ''] = fqn.split('.');
    send('name-preorder', [buffer(preorderHash(fqn, salt)), uint(namePrice)], mayBurn(namePrice));
    const zonefile = buffer(new Uint8Array(20).fill(who));
    send('name-register', [label(namespaces.v1), label(name), label(salt), zonefile]);
    return;
  }
  const [name = '', namespace = ''] = held.split('.');
  const named = [label(namespace), label(name)];
  const to = nameless(people);
  switch (people.random.below(4)) {
    case 0:
      send('name-update', [...named, buffer(new Uint8Array(20).fill(people.round & 0xff))]);
      return;
    case 1:
      send('name-renewal', [...named, uint(namePrice), none, none], mayBurn(namePrice));
      return;
    case 2:
      if (people.random.chance(3)) send('name-revoke', named);
      return;
    default:
      if (to === undefined) return;
      people.send(who, callPayload(contract, 'name-transfer', [...named, principal(people.address(to)), none]), {
        mode: 'allow',
      });
  }
}

/** The same with the second contract, where an account may have many names. */
export function useToken(people: Population, who: number): void {
  const { node, random } = people;
  const visit = { state: node.state, contract: v2(people) };
  const send = (name: string, args: ClarityValue[], conditions?: PostCondition[]) =>
    people.send(who, callPayload(visit.contract, name, args), conditions ? { conditions } : { mode: 'allow' });
  const mine = [...tokensOf(people, who)];
  if (mine.length === 0 || random.chance(3)) {
    const name = `token-${who}-${people.round}`;
    if (nameByText(visit, `${name}.${namespaces.v2}`)) return;
    if (random.chance(2)) {
      send('name-claim-fast', [label(name), label(namespaces.v2), principal(people.address(who))]);
      return;
    }
    send(
      'name-preorder',
      [buffer(preorderHash(`${name}.${namespaces.v2}`, salt)), uint(namePrice)],
      mayBurn(namePrice),
    );
    send('name-register', [label(namespaces.v2), label(name), label(salt)]);
    return;
  }
  const known = random.pick(mine);
  const [name = '', namespace = ''] = known.fqn.split('.');
  const other = principal(people.address(random.pick(residents.filter(index => index !== who))));
  const calls: (() => unknown)[] = [
    () => send('transfer', [uint(known.id), principal(people.address(who)), other]),
    () => send('name-renewal', [label(namespace), label(name)]),
    () => send('set-primary-name', [uint(known.id)]),
    () =>
      known.price === undefined
        ? send('list-in-ustx', [uint(known.id), uint(5_000_000), principal(visit.contract)])
        : send('unlist-in-ustx', [uint(known.id)]),
    () =>
      people.send(
        who,
        callPayload(bnsContract('resolver', node.network.mainnet), 'update-zonefile', [
          label(name),
          label(namespace),
          some(label(`{"owner":"resident ${who}"}`)),
        ]),
      ),
  ];
  random.pick(calls)();
}

/** Tokens of a resident; there are few, so that looking at each will do. */
function* tokensOf(people: Population, who: number) {
  const visit = { state: people.node.state, contract: v2(people) };
  const owner = people.address(who);
  for (let id = 1; ; id++) {
    const known = nameById(visit, id);
    if (!known) return;
    if (known.owner === owner) yield known;
  }
}
