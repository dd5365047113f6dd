import { AddressVersion, encodeAddress } from '@cairn-stacks/codec/address/c32';
import { type Message, messageText } from '@cairn-stacks/devnet/chain/message-text';

/** What each added account gets. */
export const addedAmount = 1_000n;

type MintJson = { txid: string; event_index: number; type: string };

/** Block 0 with mints to so many more accounts, in the transaction that has the others. */
export function growGenesis(genesis: Message, accounts: number): { path: string; body: string } {
  const text = messageText(genesis.body);
  const { events } = JSON.parse(text) as { events: MintJson[] };
  const mints = events.filter(({ type }) => type === 'stx_mint_event');
  const { txid } = mints[0]!;
  const first = Math.max(...events.filter(event => event.txid === txid).map(event => event.event_index)) + 1;
  const added = Array.from({ length: accounts }, (_, i) =>
    JSON.stringify({
      txid,
      event_index: first + i,
      committed: true,
      type: 'stx_mint_event',
      stx_mint_event: { recipient: addedAccount(i), amount: String(addedAmount) },
    }),
  );
  return { path: genesis.path, body: text.replace('"events":[', () => `"events":[${added.join(',')},`) };
}

/** The address of an added account. */
export function addedAccount(index: number): string {
  const hash = Buffer.alloc(20, 0xa5);
  hash.writeUInt32BE(index);
  return encodeAddress(AddressVersion.testnetSingleSig, hash);
}
