import { bnsRole } from '@cairn-stacks/codec/bns-name';
import type { ChainEvent } from '../../chain/event.ts';
import { bnsPrincipals } from '../../chain/names/event.ts';
import { poxVersion } from '../../chain/pox/contract.ts';
import { readPoxPrint } from '../../chain/pox/print.ts';
import { readStakingPrint } from '../../chain/pox/staking-print.ts';
import { registryNumber } from '../../chain/sbtc/registry.ts';
import { readRegistryPrint } from '../../chain/sbtc/registry-print.ts';
import { readTokenNotification } from '../../chain/tokens/token-notification.ts';

/** Principals that appear only inside a printed value and that a projection will need the keys of. */
export function printedPrincipals(event: Extract<ChainEvent, { kind: 'print' }>): string[] {
  const { contract, value } = event;
  if (bnsRole(contract)) return bnsPrincipals(event);
  const version = poxVersion(contract);
  if (version === 5) {
    const print = readStakingPrint(value);
    if (!print) return [];
    return ['staker' in print ? print.staker : undefined, 'signer' in print ? print.signer : undefined].filter(
      name => name !== undefined,
    );
  }
  if (version > 0) {
    const print = readPoxPrint(value);
    return print ? [print.stacker, ...(print.pool === undefined ? [] : [print.pool])] : [];
  }
  if (registryNumber(contract) > 0) {
    const print = readRegistryPrint(value);
    if (print?.kind === 'request') return [print.sender];
    if (print?.kind === 'rotation') return [print.signer];
    return print?.kind === 'contract' ? [print.contract] : [];
  }
  const notification = readTokenNotification(value);
  return notification ? [notification.contract] : [];
}
