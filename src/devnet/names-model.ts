import { isName, isNamespace } from '../chain/bns-name.ts';
import type { AbiType } from '../codec/abi.ts';
import type { ClarityValue } from '../codec/clarity.ts';
import { bool, buffer, err, int, ok, principal, tuple, uint } from '../codec/clarity-build.ts';
import { hash160 } from '../codec/hash.ts';
import { bareHex } from '../codec/hex.ts';
import { type BnsCall, bnsEffects } from './bns-contract.ts';
import type { Visit, Write } from './contract-model.ts';
import {
  bytesArg,
  type ContractModel,
  entryKey,
  type Outcome,
  principalArg,
  recall,
  uintArg,
} from './contract-model.ts';

const buff = (length: number): AbiType => ({ buffer: { length } });
const answer = (type: AbiType): AbiType => ({ response: { ok: type, error: 'int128' } });
const refuse = (code: number): Outcome => ({ result: err(int(code)) });
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1');
const named: [string, AbiType][] = [
  ['namespace', buff(20)],
  ['name', buff(48)],
];

const ownerKey = (contract: string, fqn: string) => `${contract} owner ${fqn}`;
const namespaceKey = (contract: string, namespace: Uint8Array) => entryKey(contract, 'namespaces', buffer(namespace));
const preorderKey = (contract: string, hash: Uint8Array, buyer: string) =>
  entryKey(contract, 'name-preorders', tuple({ buyer: principal(buyer), 'hashed-salted-fqn': buffer(hash) }));

const fqnOf = (args: readonly ClarityValue[]) => `${text(bytesArg(args, 1))}.${text(bytesArg(args, 0))}`;

/** What one preorders: the hash of the name with a salt, so that nobody can run ahead. */
export const preorderHash = (fqn: string, salt: string) => hash160(Buffer.from(fqn + salt, 'latin1'));

/** Where a name is owned, undefined where it is free. */
export function nameOwner(state: Visit['state'], contract: string, fqn: string): string | undefined {
  const owner = recall(state, ownerKey(contract, fqn));
  return owner ? principalArg([owner], 0) : undefined;
}

function told({ sender, mainnet }: Visit, call: BnsCall, writes: Write[]): Outcome {
  const { events, result } = bnsEffects(call, sender, mainnet);
  return { result: ok(result), events, writes };
}

/** Names by the first naming contract: preorder, register, update and transfer. */
export const namesModel: ContractModel = {
  name: 'bns',
  nonFungibleTokens: [{ name: 'names', type: { tuple: [...named].reverse().map(([name, type]) => ({ name, type })) } }],
  functions: {
    'namespace-ready': {
      access: 'public',
      args: [['namespace', buff(20)]],
      returns: answer('bool'),
      run(visit, args) {
        const namespace = bytesArg(args, 0);
        const key = namespaceKey(visit.contract, namespace);
        if (!isNamespace(text(namespace))) return refuse(1007);
        if (recall(visit.state, key)) return refuse(1014);
        const launchedAt = visit.burnHeight;
        return told(visit, { name: 'namespace-ready', namespace: text(namespace), lifetime: 5000, launchedAt }, [
          { key, value: uint(launchedAt) },
        ]);
      },
    },
    'name-preorder': {
      access: 'public',
      args: [
        ['hashed-salted-fqn', buff(20)],
        ['stx-to-burn', 'uint128'],
      ],
      returns: answer('uint128'),
      run({ state, contract, sender, burnHeight }, args) {
        const amount = uintArg(args, 1);
        const key = preorderKey(contract, bytesArg(args, 0), sender);
        if (amount === 0n) return refuse(2009);
        if (recall(state, key)) return refuse(2016);
        if (state.spendable(sender) < amount) return refuse(4001);
        return {
          result: ok(uint(burnHeight + 144)),
          events: [{ kind: 'stx_burn', sender, amount }],
          writes: [{ key, value: uint(amount) }],
        };
      },
    },
    'name-register': {
      access: 'public',
      args: [...named, ['salt', buff(20)], ['zonefile-hash', buff(20)]],
      returns: answer('bool'),
      run(visit, args) {
        const { state, contract, sender } = visit;
        const fqn = fqnOf(args);
        if (!recall(state, namespaceKey(contract, bytesArg(args, 0)))) return refuse(1005);
        if (!isName(text(bytesArg(args, 1)))) return refuse(2022);
        const key = preorderKey(contract, preorderHash(fqn, text(bytesArg(args, 2))), sender);
        if (!recall(state, key)) return refuse(2001);
        if (nameOwner(state, contract, fqn)) return refuse(2004);
        return told(visit, { name: 'name-register', fqn, zonefile: bareHex(bytesArg(args, 3)) }, [
          { key, value: undefined },
          { key: ownerKey(contract, fqn), value: principal(sender) },
        ]);
      },
    },
    'name-update': {
      access: 'public',
      args: [...named, ['zonefile-hash', buff(20)]],
      returns: answer('bool'),
      run(visit, args) {
        const fqn = fqnOf(args);
        if (nameOwner(visit.state, visit.contract, fqn) !== visit.sender) return refuse(2006);
        return told(visit, { name: 'name-update', fqn, zonefile: bareHex(bytesArg(args, 2)) }, []);
      },
    },
    'name-transfer': {
      access: 'public',
      args: [...named, ['new-owner', 'principal'], ['zonefile-hash', { optional: buff(20) }]],
      returns: answer('bool'),
      run(visit, args) {
        const { state, contract, sender } = visit;
        const fqn = fqnOf(args);
        const to = principalArg(args, 2);
        if (nameOwner(state, contract, fqn) !== sender) return refuse(2006);
        const zonefile = args[3]?.type === 'some' ? { zonefile: bareHex(bytesArg(args, 3)) } : {};
        return told(visit, { name: 'name-transfer', fqn, to, ...zonefile }, [
          { key: ownerKey(contract, fqn), value: principal(to) },
        ]);
      },
    },
    'can-name-be-registered': {
      access: 'read_only',
      args: named,
      returns: answer('bool'),
      run: ({ state, contract }, args) => ({ result: ok(bool(nameOwner(state, contract, fqnOf(args)) === undefined)) }),
    },
  },
  source: `;; bns, as the devnet models it: the outline of the first naming contract.
(define-non-fungible-token names {name: (buff 48), namespace: (buff 20)})
(define-map namespaces (buff 20) uint)
(define-map name-preorders {hashed-salted-fqn: (buff 20), buyer: principal} uint)
;; namespace-ready, name-preorder, name-register, name-update, name-transfer
`,
};
