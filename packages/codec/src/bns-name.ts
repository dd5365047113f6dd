/** A name and the namespace it is in. */
export type BnsName = { name: string; namespace: string };

/** Contracts of the naming system, on mainnet and on networks with testnet addresses. Trial deployments are ignored. */
const roles = new Map<string, BnsRole>([
  ['SP000000000000000000002Q6VF78.bns', 'v1'],
  ['ST000000000000000000002AMW42H.bns', 'v1'],
  ['SP2QEZ06AGJ3RKJPBV14SY1V5BBFNAW33D96YPGZF.BNS-V2', 'v2'],
  ['ST2QEZ06AGJ3RKJPBV14SY1V5BBFNAW33D9SZJQ0M.BNS-V2', 'v2'],
  ['SP2QEZ06AGJ3RKJPBV14SY1V5BBFNAW33D96YPGZF.zonefile-resolver', 'resolver'],
  ['ST2QEZ06AGJ3RKJPBV14SY1V5BBFNAW33D9SZJQ0M.zonefile-resolver', 'resolver'],
]);

export type BnsRole = 'v1' | 'v2' | 'resolver';

const assets = new Map<string, 1 | 2>(
  [...roles].flatMap(([contract, role]): [string, 1 | 2][] => {
    if (role === 'resolver') return [];
    return [role === 'v1' ? [`${contract}::names`, 1] : [`${contract}::BNS-V2`, 2]];
  }),
);

/** The role of a contract in the naming system; undefined for all others. */
export const bnsRole = (contract: string): BnsRole | undefined => roles.get(contract);

/** The version of the naming system whose names an NFT class holds. */
export const bnsVersionOfAsset = (asset: string): 1 | 2 | undefined => assets.get(asset);

/** The contract of a role. */
export function bnsContract(role: BnsRole, mainnet: boolean): string {
  const [contract] = [...roles].find(([id, each]) => each === role && id.startsWith(mainnet ? 'SP' : 'ST'))!;
  return contract;
}

const maxName = 48;
const maxNamespace = 20;

/** Names as the contracts accept them: `a-z0-9-_`. */
export const isName = (text: string) => text.length <= maxName && /^[a-z0-9_-]+$/.test(text);

/** Namespaces as the contracts accept them. */
export const isNamespace = (text: string) => text.length <= maxNamespace && /^[a-z0-9_-]+$/.test(text);

/** Parses `name.namespace`; undefined for anything that the contracts would reject, such as look-alikes of other scripts. */
export function parseBnsName(text: string): BnsName | undefined {
  const [name, namespace, ...rest] = text.split('.');
  if (name === undefined || namespace === undefined || rest.length > 0) return undefined;
  return isName(name) && isNamespace(namespace) ? { name, namespace } : undefined;
}

/** `name.namespace`. */
export const formatBnsName = ({ name, namespace }: BnsName) => `${name}.${namespace}`;

/** Text of a label that a contract printed; undefined where the bytes are too many, no printable ASCII, or have a dot. */
export function labelOf(bytes: Uint8Array | undefined): string | undefined {
  if (bytes === undefined || bytes.length === 0 || bytes.length > maxName) return undefined;
  for (const byte of bytes) if (byte <= 0x20 || byte >= 0x7f || byte === 0x2e) return undefined;
  return Buffer.from(bytes).toString('latin1');
}
