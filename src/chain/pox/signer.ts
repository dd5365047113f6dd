import { formatPrincipal, type Principal } from '@cairn-stacks/codec/address/principal';
import { signerPrincipal } from '@cairn-stacks/codec/transaction/spending-condition';
import type { Transaction } from '@cairn-stacks/codec/transaction/transaction';

/** The account that signed first. */
export function originOf(transaction: Transaction): string {
  return formatPrincipal(signerPrincipal(transaction.version, transaction.auth.origin));
}

/** The account that pays for another's transaction, if one does. */
export function sponsorOf(transaction: Transaction): string | undefined {
  const { sponsor } = transaction.auth;
  return sponsor && formatPrincipal(signerPrincipal(transaction.version, sponsor));
}

/** The fee of the paying signer. */
export function feeOf({ auth }: Transaction): bigint {
  return (auth.sponsor ?? auth.origin).fee;
}

/** The other side of a transaction: the recipient of a transfer, the contract that is called or deployed. */
export function targetOf(transaction: Transaction): string | undefined {
  const { payload } = transaction;
  switch (payload.type) {
    case 'token_transfer':
      return formatPrincipal(payload.recipient);
    case 'contract_call':
      return formatPrincipal(payload.contract);
    case 'smart_contract':
    case 'versioned_smart_contract': {
      const origin: Principal = signerPrincipal(transaction.version, transaction.auth.origin);
      return formatPrincipal({ ...origin, name: payload.name });
    }
    default:
      return undefined;
  }
}
