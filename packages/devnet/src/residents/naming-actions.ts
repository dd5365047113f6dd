import { bnsContract } from '@cairn-stacks/codec/bns-name';
import { bool, buffer, none, principal, some, uint } from '@cairn-stacks/codec/clarity/build';
import type { ClarityValue } from '@cairn-stacks/codec/clarity/value';
import { callPayload } from '@cairn-stacks/codec/transaction/build';
import type { PostCondition } from '@cairn-stacks/codec/transaction/post-condition';
import { nameHeldBy } from '../contracts/names/names-state.ts';
import { nameById, nameByText } from '../contracts/names/names-v2-state.ts';
import { label, namespaceCost, namespaceHash, preorderHash } from '../contracts/names/namespace-model.ts';
import { deployer, residentAccounts } from './accounts.ts';
import type { Residents } from './residents.ts';

/** The namespaces for names of the first and of the second naming contract. */
export const namespaces = { v1: 'cairn', v2: 'btc' } as const;

/** The price function of both: shorter names cost more. */
const price = [4, 250, ...[6, 5, 4, 3, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1], 4, 4].map(number => uint(number));
const namePrice = 2_560_000n;
const salt = 'salt';

const mayBurn = (amount: bigint): PostCondition[] => [
  { type: 'stx', principal: { type: 'origin' }, condition: 'sent_less_than_or_equal_to', amount },
];

/** Preorders, reveals and launches a namespace of each contract. */
export function launchNamespaces(residents: Residents): void {
  const importer = principal(residents.address(deployer));
  for (const [version, contract, launch, further] of [
    ['v1', residents.bootContract('bns'), 'namespace-ready', []],
    ['v2', v2(residents), 'namespace-launch', [none, bool(true), bool(false), bool(false)]],
  ] as ['v1' | 'v2', string, string, ClarityValue[]][]) {
    const namespace = namespaces[version];
    const cost = namespaceCost(namespace);
    const send = (name: string, args: ClarityValue[]) =>
      residents.send(deployer, callPayload(contract, name, args), { conditions: mayBurn(cost) });
    send('namespace-preorder', [buffer(namespaceHash(version, namespace, salt)), uint(cost)]);
    send('namespace-reveal', [label(namespace), label(salt), ...price, uint(5_000), importer, ...further]);
    send(launch, [label(namespace)]);
  }
}

const v2 = ({ node }: Residents) => bnsContract('v2', node.network.mainnet);

/** Another resident without a name of the first contract. */
function nameless(residents: Residents): number | undefined {
  const { state } = residents.node;
  return residentAccounts.find(index => !nameHeldBy(state, residents.bootContract('bns'), residents.address(index)));
}

/** Registers a name of the first contract, or uses the one that the actor holds. */
export function useName(residents: Residents, actor: number): void {
  const contract = residents.bootContract('bns');
  const send = (name: string, args: ClarityValue[], conditions: PostCondition[] = []) =>
    residents.send(actor, callPayload(contract, name, args), { conditions });
  const held = nameHeldBy(residents.node.state, contract, residents.address(actor));
  if (held === undefined) {
    const fqn = `resident-${actor}-${residents.round}.${namespaces.v1}`;
    const [name = ''] = fqn.split('.');
    send('name-preorder', [buffer(preorderHash(fqn, salt)), uint(namePrice)], mayBurn(namePrice));
    const zonefile = buffer(new Uint8Array(20).fill(actor));
    send('name-register', [label(namespaces.v1), label(name), label(salt), zonefile]);
    return;
  }
  const [name = '', namespace = ''] = held.split('.');
  const named = [label(namespace), label(name)];
  const to = nameless(residents);
  switch (residents.random.below(4)) {
    case 0:
      send('name-update', [...named, buffer(new Uint8Array(20).fill(residents.round & 0xff))]);
      return;
    case 1:
      send('name-renewal', [...named, uint(namePrice), none, none], mayBurn(namePrice));
      return;
    case 2:
      if (residents.random.chance(3)) send('name-revoke', named);
      return;
    default:
      if (to === undefined) return;
      residents.send(
        actor,
        callPayload(contract, 'name-transfer', [...named, principal(residents.address(to)), none]),
        {
          mode: 'allow',
        },
      );
  }
}

/** Lets an account act on its names in the second contract, where an account may have many names. */
export function useToken(residents: Residents, actor: number): void {
  const { node, random } = residents;
  const context = { state: node.state, contract: v2(residents) };
  const send = (name: string, args: ClarityValue[], conditions?: PostCondition[]) =>
    residents.send(actor, callPayload(context.contract, name, args), conditions ? { conditions } : { mode: 'allow' });
  const mine = [...tokensOf(residents, actor)];
  if (mine.length === 0 || random.chance(3)) {
    const name = `token-${actor}-${residents.round}`;
    if (nameByText(context, `${name}.${namespaces.v2}`)) return;
    if (random.chance(2)) {
      send('name-claim-fast', [label(name), label(namespaces.v2), principal(residents.address(actor))]);
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
  const other = principal(residents.address(random.pick(residentAccounts.filter(index => index !== actor))));
  const calls: (() => unknown)[] = [
    () => send('transfer', [uint(known.id), principal(residents.address(actor)), other]),
    () => send('name-renewal', [label(namespace), label(name)]),
    () => send('set-primary-name', [uint(known.id)]),
    () =>
      known.price === undefined
        ? send('list-in-ustx', [uint(known.id), uint(5_000_000), principal(context.contract)])
        : send('unlist-in-ustx', [uint(known.id)]),
    () =>
      residents.send(
        actor,
        callPayload(bnsContract('resolver', node.network.mainnet), 'update-zonefile', [
          label(name),
          label(namespace),
          some(label(`{"owner":"resident ${actor}"}`)),
        ]),
      ),
  ];
  random.pick(calls)();
}

/** Tokens of a resident; a linear search is enough, because there are few. */
function* tokensOf(residents: Residents, actor: number) {
  const context = { state: residents.node.state, contract: v2(residents) };
  const owner = residents.address(actor);
  for (let id = 1; ; id++) {
    const known = nameById(context, id);
    if (!known) return;
    if (known.owner === owner) yield known;
  }
}
