import { readFileSync } from 'node:fs';
import { parsePrivateKey } from '@cairn-stacks/codec/keys';
import { parseNetwork } from '@cairn-stacks/codec/network';
import { clarinetAccounts } from '@cairn-stacks/devnet/residents/user-accounts';
import { expect, test } from 'vitest';
import { constructionRoutes } from '../../src/rosetta/routes/construction.ts';
import { good, rosettaShell, signerOf, signPayload } from '../support/rosetta.ts';

const folder = new URL('../../packaging/rosetta-cli/', import.meta.url);
const read = (name: string) => readFileSync(new URL(name, folder), 'utf8');

type Prefunded = { privkey: string; account_identifier: { address: string } };
type Config = { construction: { prefunded_accounts: Prefunded[]; end_conditions: Record<string, number> } };

const { construction } = JSON.parse(read('config.json')) as Config;
const network = parseNetwork('testnet')!;
const [payer] = construction.prefunded_accounts;
const signer = signerOf(parsePrivateKey(`${payer!.privkey}01`), network);

/** The operations that a workflow of the file asks for, with its variables filled in. */
function operationsIn(workflow: string): object[] {
  const text = new RegExp(`${workflow}\\.operations = (\\[[^;]*\\]);`).exec(read('stacks.ros'))?.[1] ?? '';
  const values: Record<string, unknown> = {
    'sender.account_identifier': { address: signer.address },
    'recipient.account_identifier': { address: clarinetAccounts[0]!.address },
    currency: { symbol: 'STX', decimals: 6 },
    amount: '77',
    debit: '-77',
    name: 'abcdefghijkl',
  };
  return JSON.parse(
    text.replaceAll(/\{\{([\w.]+)\}\}/g, (_, name: string) => JSON.stringify(values[name])),
  ) as object[];
}

test('the account that pays has STX on every devnet', () => {
  expect(payer!.account_identifier).toEqual({ address: signer.address });
  expect(clarinetAccounts.map(({ address }) => address)).toContain(signer.address);
});

test.each(['transfer', 'contract_deploy', 'contract_call'])(
  'the operations of the workflow %s are built and signed',
  async workflow => {
    expect(construction.end_conditions[workflow]).toBeGreaterThan(0);
    const ask = rosettaShell(network, false, constructionRoutes({ network, compat: false }));
    const operations = operationsIn(workflow);
    await good(ask('/construction/preprocess', { operations }));
    const metadata = { account_sequence: 1 };
    const public_keys = [signer.public_key];
    const made = await good(ask('/construction/payloads', { operations, metadata, public_keys }));
    const { unsigned_transaction, payloads } = made as {
      unsigned_transaction: string;
      payloads: { hex_bytes: string }[];
    };
    const signatures = payloads.map(payload => signPayload(payload, signer));
    const { signed_transaction: transaction } = await good(
      ask('/construction/combine', { unsigned_transaction, signatures }),
    );
    const parsed = await good(ask('/construction/parse', { signed: true, transaction }));
    expect(parsed.operations).toHaveLength(operations.length);
  },
);
