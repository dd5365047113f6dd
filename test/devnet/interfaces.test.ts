import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { fromHex } from '@cairn-stacks/codec/hex';
import { bootAddress, parseNetwork } from '@cairn-stacks/codec/network';
import { decodeTransaction } from '@cairn-stacks/codec/transaction/transaction';
import { readDefinitions } from '@cairn-stacks/devnet/clarity/definitions';
import { interfaceOfDefinitions } from '@cairn-stacks/devnet/clarity/interface';
import type { Form } from '@cairn-stacks/devnet/clarity/syntax';
import { interfaceOf } from '@cairn-stacks/devnet/contracts/contract-model';
import { initialModel } from '@cairn-stacks/devnet/contracts/model-list';
import type { ContractInterface } from '@cairn-stacks/devnet/contracts/token-contract';
import { expect, test } from 'vitest';
import { needRecording } from '../support/recordings.ts';

/** A recording of a real node, which is not part of the project. */
const recording = fileURLToPath(new URL('../../../shared/conformance/live/nakamoto-regtest.tsv.gz', import.meta.url));

type Recorded = { contract_interface: ContractInterface | null; raw_tx: string };

/** The deployments of a recording: name, source and interface. */
function* recordedDeployments() {
  for (const line of gunzipSync(readFileSync(recording)).toString('utf8').split('\n')) {
    const [, , path, text] = line.split('\t');
    if (path !== '/new_block' || !text?.includes('"functions"')) continue;
    for (const { contract_interface, raw_tx } of JSON.parse(unescaped(text)).transactions as Recorded[]) {
      if (!contract_interface) continue;
      const { payload } = decodeTransaction(fromHex(raw_tx));
      if (!('source' in payload)) continue;
      yield { name: payload.name, source: Buffer.from(payload.source).toString('utf8'), found: contract_interface };
    }
  }
}

const unescaped = (text: string) => text.replace(/\\(.)/g, (_, next: string) => ({ n: '\n', t: '\t' })[next] ?? next);

/** The same interface with everything in the order of names. */
const sorted = (found: ContractInterface) => ({
  ...found,
  ...Object.fromEntries(
    (['functions', 'variables', 'maps', 'fungible_tokens', 'non_fungible_tokens'] as const).map(key => [
      key,
      [...found[key]].sort((a, b) => (a.name < b.name ? -1 : 1)),
    ]),
  ),
});

/** All names that an expression uses. */
const namesIn = (form: Form): string[] =>
  form.kind === 'list'
    ? form.items.flatMap(namesIn)
    : form.kind === 'tuple'
      ? form.entries.flatMap(({ value }) => namesIn(value))
      : form.kind === 'name'
        ? [form.text]
        : [];

const boot = ['bns', 'cost-voting', 'pox', 'pox-4', 'pox-5'];
const network = parseNetwork('devnet')!;

test('boot contracts have the interfaces of a real node', t => {
  needRecording(t, existsSync(recording));
  const compared = [];
  for (const { name, found } of recordedDeployments()) {
    if (!boot.includes(name)) continue;
    const model = initialModel(`${bootAddress(network.mainnet)}.${name}`, network);
    expect(sorted(interfaceOf(model!, true)), name).toEqual(sorted(found));
    compared.push(name);
  }
  expect(compared.sort()).toEqual(boot);
});

test('the interface of a source is that of a real node', t => {
  needRecording(t, existsSync(recording));
  let compared = 0;
  for (const { name, source, found } of recordedDeployments()) {
    if (!/-n$|^mgr$|^sbtc/.test(name)) continue;
    const definitions = readDefinitions(source, `ST000000000000000000002AMW42H.${name}`);
    const read = interfaceOfDefinitions(definitions, found);
    // The result of a call of another contract cannot be told.
    const calls = new Set(
      [...definitions.functions].filter(([, { body }]) => namesIn(body[0]!).includes('contract-call?')).map(([n]) => n),
    );
    const told = (functions: ContractInterface['functions']) =>
      functions.map(each => (calls.has(each.name) ? { ...each, outputs: null } : each));
    expect({ ...read, functions: told(read.functions) }, name).toEqual({ ...found, functions: told(found.functions) });
    compared++;
  }
  expect(compared).toBeGreaterThan(3);
});
