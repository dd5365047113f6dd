import { poxToBitcoinAddress } from '@cairn-stacks/codec/address/bitcoin-address';
import { array, bytes, integer, type Json, object } from '../../node/json.ts';
import type { CycleRules, NodeBlocks } from './node-blocks.ts';

/** The reward set that a block fixed, or null; undefined where it cannot be known. */
export type HealedRewardSet = { cycle: number; set: Json } | null | undefined;

type TenureStart = { id: string; parentId: string; burnHeight: number };

/**
 * The reward set that became known with a block: a node has it as of this block and had it not as of the one before. No rule
 * about phases is needed, only which cycle may be prepared at a burn height.
 */
export async function findRewardSet(
  nodes: NodeBlocks,
  rules: CycleRules | undefined,
  { id, parentId, burnHeight }: TenureStart,
): Promise<HealedRewardSet> {
  if (!rules) return undefined;
  const passed = burnHeight - rules.firstBurnHeight;
  const next = Math.floor(passed / rules.cycleLength) + 1;
  // The first burn block of a cycle still belongs to the phase that prepares it.
  for (const cycle of passed % rules.cycleLength === 0 ? [next - 1, next] : [next]) {
    const after = await nodes.rewardSet(cycle, id);
    if (after === undefined) return undefined;
    if (after === 'none') continue;
    const before = await nodes.rewardSet(cycle, parentId);
    if (before === undefined) return undefined;
    if (before === 'none') return { cycle, set: asInEvents(after) };
  }
  return null;
}

/** A set as events show it: keys without prefix, Bitcoin addresses as text. */
const asInEvents = (set: Json): Json => ({
  ...set,
  rewarded_addresses: array(set.rewarded_addresses ?? [], 'rewarded_addresses').map(bitcoinAddress),
  ...(set.signers !== undefined &&
    set.signers !== null && {
      signers: array(set.signers, 'signers').map(value => {
        const signer = object(value, 'signer');
        return { ...signer, signing_key: String(signer.signing_key).replace(/^0x/, '') };
      }),
    }),
});

/** Versions of reward addresses (SIP-007, SIP-015) by the names that the RPC has for them. */
const versions: Readonly<Record<string, number>> = {
  SerializeP2PKH: 0,
  SerializeP2SH: 1,
  SerializeP2WPKH: 2,
  SerializeP2WSH: 3,
  P2WPKH: 4,
  P2WSH: 5,
  P2TR: 6,
};
/** Versions of Stacks addresses of the main network (SIP-005). */
const mainnetVersions: readonly number[] = [20, 22];

function bitcoinAddress(value: unknown): unknown {
  if (typeof value === 'string') return value;
  const [[kind, content] = []] = Object.entries(object(value, 'rewarded address'));
  const parts = array(content, `rewarded address ${kind}`);
  if (kind === 'Standard') {
    const address = object(parts[0], 'address');
    const mainnet = mainnetVersions.includes(integer(address, 'version'));
    const version = versions[String(parts[1] ?? 'SerializeP2PKH')] ?? 0;
    return poxToBitcoinAddress({ version, hash: bytes(address.bytes, 'bytes', 20) }, mainnet ? 'mainnet' : 'testnet');
  }
  const version = versions[String(parts[1])];
  // An unknown kind of address is shown unchanged.
  if (version === undefined) return value;
  const hash = Uint8Array.from(array(parts[2], 'bytes'), Number);
  return poxToBitcoinAddress({ version, hash }, parts[0] === true ? 'mainnet' : 'testnet');
}
