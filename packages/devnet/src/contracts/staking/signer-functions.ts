import { AddressVersion, encodeAddress } from '@cairn-stacks/codec/address/c32';
import { bool, buffer, principal, stringAscii, tuple, uint } from '@cairn-stacks/codec/clarity/build';
import { bareHex } from '@cairn-stacks/codec/hex';
import { signerHash } from '@cairn-stacks/codec/keys';
import { structuredDataHash } from '@cairn-stacks/codec/transaction/structured-data';
import { bytesArg, principalArg, uintArg } from '../contract-model.ts';
import { recoverSigner } from '../pox/consent.ts';
import { demand } from './errors.ts';
import { announced, hasGrant } from './positions.ts';
import type { StakingRun } from './run.ts';

/** The hash that a signer signs to let a contract use its key (SIP-018). */
export const grantHash = (manager: string, authId: bigint, chainId: number): Uint8Array =>
  structuredDataHash(
    tuple({ name: stringAscii('pox-5-signer'), version: stringAscii('1.0.0'), 'chain-id': uint(chainId) }),
    tuple({
      topic: stringAscii('grant-authorization'),
      'signer-manager': principal(manager),
      'auth-id': uint(authId),
    }),
  );

/** Signer managers: contracts that use the key of a signer. */
export const signerFunctions: Record<string, StakingRun> = {
  'grant-signer-key'({ contract, caller, chainId, verify }, draft, args) {
    const [key, manager, authId, signature] = [
      bytesArg(args, 0),
      principalArg(args, 1),
      uintArg(args, 2),
      bytesArg(args, 3),
    ];
    demand(caller === manager, 'UNAUTHORIZED_SIGNER_REGISTRATION');
    const fields = { 'signer-key': buffer(key), 'signer-manager': principal(manager) };
    const used = { 'auth-id': uint(authId), ...fields };
    demand(draft.entry('used-signer-key-grants', used) === undefined, 'SIGNER_KEY_GRANT_USED');
    if (verify) {
      const signer = recoverSigner(grantHash(manager, authId, chainId), signature);
      demand(signer !== undefined, 'INVALID_SIGNATURE_RECOVER');
      demand(bareHex(signer) === bareHex(key), 'INVALID_SIGNATURE_PUBKEY');
    }
    draft.setEntry('used-signer-key-grants', used, bool(true));
    draft.setEntry('signer-key-grants', fields, bool(true));
    return { result: used, events: [announced(contract, 'grant-signer-key', used)] };
  },
  'revoke-signer-grant'({ contract, caller, mainnet }, draft, args) {
    const [manager, key] = [principalArg(args, 0), bytesArg(args, 1)];
    const version = mainnet ? AddressVersion.mainnetSingleSig : AddressVersion.testnetSingleSig;
    demand(key.length === 33 && caller === encodeAddress(version, signerHash(0, [key])), 'UNAUTHORIZED');
    const fields = { 'signer-key': buffer(key), 'signer-manager': principal(manager) };
    const existed = hasGrant(draft, manager, key);
    draft.setEntry('signer-key-grants', fields, undefined);
    return {
      result: { existed: bool(existed), ...fields },
      events: [announced(contract, 'revoke-signer-grant', fields)],
    };
  },
  'register-signer'({ contract, caller }, draft, args) {
    const [manager, key] = [principalArg(args, 0), bytesArg(args, 1)];
    demand(caller === manager, 'UNAUTHORIZED_SIGNER_REGISTRATION');
    demand(hasGrant(draft, manager, key), 'SIGNER_KEY_GRANT_NOT_FOUND');
    draft.setEntry('signers', principal(manager), buffer(key));
    const fields = { signer: principal(manager), 'signer-key': buffer(key) };
    return { result: fields, events: [announced(contract, 'register-signer', fields)] };
  },
};
