import { fromHex } from '@cairn-stacks/codec/hex';
import { transferPayload } from '@cairn-stacks/codec/transaction/build';
import type { Payload } from '@cairn-stacks/codec/transaction/payload';
import { accountAt } from '@cairn-stacks/devnet/chain/account';
import { makeTransaction } from '@cairn-stacks/devnet/residents/wallet';
import { testNetwork } from './service.ts';

export type Signed = { raw: Buffer; hex: string; txId: string; sender: string };

export type SignedOptions = {
  account?: number;
  nonce?: bigint;
  fee?: bigint;
  network?: typeof testNetwork;
  payload?: Payload;
  sponsor?: number;
};

/** A transfer, or what is asked for, with true signatures; ids and hex without 0x. */
export function signTransaction(options: SignedOptions = {}): Signed {
  const { account = 1, nonce = 0n, fee = 1000n, network = testNetwork, sponsor } = options;
  const origin = accountAt(account, network.mainnet);
  const payload = options.payload ?? transferPayload(accountAt(99, network.mainnet).address, 5n, 'hello');
  const { raw, txId } = makeTransaction({
    ...{ network, fee, payload, sign: true },
    origin: { account: origin, nonce },
    ...(sponsor !== undefined && { sponsor: { account: accountAt(sponsor, network.mainnet), nonce: 0n } }),
  });
  return { raw: Buffer.from(fromHex(raw)), hex: raw.slice(2), txId: txId.slice(2), sender: origin.address };
}
