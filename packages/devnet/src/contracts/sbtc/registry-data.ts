import { buffer, list, principal, stringAscii, tuple, uint } from '@cairn-stacks/codec/clarity/build';
import { encodeClarity } from '@cairn-stacks/codec/clarity/encode';
import type { ClarityValue } from '@cairn-stacks/codec/clarity/value';
import { accountAt } from '../../chain/account.ts';
import type { ChainEvent } from '../../chain/event.ts';
import { deployer } from '../../residents/accounts.ts';
import { type CallContext, readData, variableKey, type Write } from '../contract-model.ts';
import { Draft } from '../draft.ts';
import { sbtcAsset, sbtcDeployer } from './sbtc-address.ts';

type Chain = Pick<CallContext, 'state' | 'mainnet'>;

const contractOf = (mainnet: boolean, name: string) => `${sbtcDeployer(mainnet)}.${name}`;

/** The account that stands for the signers of sBTC, whatever their keys are. */
export const signerOf = ({ mainnet }: Pick<CallContext, 'mainnet'>) => accountAt(deployer, mainnet);

/** True if the signers call. */
export const isSigner = (context: CallContext): boolean => context.caller === signerOf(context).address;

/** The data of the registry during a call, by whichever contract of the protocol. */
export function registryData({ state, mainnet }: Chain): Draft {
  const key = buffer(signerOf({ mainnet }).publicKey);
  return new Draft(state, contractOf(mainnet, 'sbtc-registry'), {
    'current-aggregate-pubkey': key,
    'current-signature-threshold': uint(1),
    'current-signer-principal': principal(signerOf({ mainnet }).address),
    'current-signer-set': list([key]),
  });
}

/** What the registry prints. */
export const printOf = (
  { mainnet }: Pick<CallContext, 'mainnet'>,
  topic: string,
  fields: Record<string, ClarityValue>,
): ChainEvent => ({
  kind: 'print',
  contract: contractOf(mainnet, 'sbtc-registry'),
  value: encodeClarity(tuple({ topic: stringAscii(topic), ...fields })),
});

/** The asset of sBTC that waits for a withdrawal. */
export const lockedAsset = (mainnet: boolean): string => `${sbtcAsset(mainnet)}-locked`;

export const minted = (asset: string, recipient: string, amount: bigint): ChainEvent[] =>
  amount > 0n ? [{ kind: 'ft_mint', asset, recipient, amount }] : [];
export const burnt = (asset: string, sender: string, amount: bigint): ChainEvent[] => [
  { kind: 'ft_burn', asset, sender, amount },
];

/** Changes the supply of the token, which counts both assets. */
export function supplyWrite({ state, mainnet }: Chain, change: bigint): Write {
  const key = variableKey(contractOf(mainnet, 'sbtc-token'), 'supply');
  const before = readData(state, key);
  return { key, value: uint((before?.type === 'uint' ? before.value : 0n) + change) };
}
