import { bool, ok } from '@cairn-stacks/codec/clarity/build';
import { expect, test } from 'vitest';
import { openApiOf } from '../../src/api/docs/openapi.ts';
import type { CallReadOnly } from '../../src/node/read-only-call.ts';
import { testChain } from '../support/chain.ts';
import { author, extendBlock, functionNames, longPrincipal } from '../support/newer-blocks.ts';
import { good } from '../support/rosetta.ts';
import { rosettaData } from '../support/rosetta-data.ts';
import { serveChain } from '../support/served-chain.ts';

// biome-ignore lint/suspicious/noExplicitAny: a response of any shape
type Json = any;

const contract = `${author.address}.traits`;
const lengths = [41, 128];

/** Paths whose parameter is a Bitcoin address, an account alone, or a contract that was deployed. */
const ofOthers = /burnchain|faucets|^\/v2\/|\/metadata\/|v3\/principals\/\{principal\}\/nonces$/;

/** A chain with a contract of Clarity 7, calls of all its functions, and tokens of principals with long names. */
function newerChain() {
  const chain = testChain({ seed: 12 });
  const one = chain.mine(chain.genesis, { transactions: 1 });
  const block = extendBlock(chain.mine(one, { transactions: 1 }));
  const output = { type: { response: { ok: 'bool', error: 'none' } } };
  const functions = functionNames.flatMap(name => [
    { name, access: 'public', args: [], outputs: output },
    { name: `read-${name}`, access: 'read_only', args: [], outputs: output },
  ]);
  const deploy = block.deploy('traits', 0, { functions });
  const calls = new Map(functionNames.map((name, i) => [name, block.call(contract, name, i + 1)]));
  lengths.forEach((length, i) => {
    const holder = longPrincipal(length);
    const asset_identifier = `${contract}::slice?`;
    block.event(deploy, 'ft_mint_event', { asset_identifier, recipient: holder, amount: String(5 + i) });
    block.event(deploy, 'ft_mint_event', { asset_identifier, recipient: author.address, amount: '1' });
  });
  return { posted: [chain.genesis, one, block.message], calls };
}

test('a function with any name that a contract may give it is found and called in every route that takes one', async t => {
  const { posted, calls } = newerChain();
  const called: string[] = [];
  const callReadOnly: CallReadOnly = async (_contract, name) => {
    called.push(name);
    return { value: ok(bool(true)) };
  };
  const { get, app, database } = await serveChain(t, posted, { callReadOnly });
  const rosetta = rosettaData(database.sql, { callReadOnly });
  for (const [name, txId] of calls) {
    const encoded = encodeURIComponent(name);
    const list = await get(`/extended/v1/tx?contract_id=${contract}&function_name=${encoded}`);
    expect([name, list.results.map((tx: Json) => tx.tx_id)]).toEqual([name, [txId]]);
    const page = await get(
      `/extended/v1/stream/pages?topics=transactions&from_height=1&contract=${contract}&function=${encoded}`,
    );
    expect([name, JSON.stringify(page).includes(txId)]).toEqual([name, true]);
    expect((await get(`/extended/v1/tx/${txId}`)).contract_call.function_name).toBe(name);
    const url = `/extended/v1/contract/${contract}/call/${encodeURIComponent(`read-${name}`)}`;
    const { statusCode, body } = await app.inject({ method: 'POST', url, payload: { arguments: {} } });
    expect([name, statusCode, body]).toEqual([name, 200, expect.stringContaining('(ok true)')]);
    const parameters = { contract_id: contract, function_name: name };
    expect(await good(rosetta('/call', { method: 'call_read_only', parameters }))).toMatchObject({
      result: { okay: true },
    });
  }
  expect(called).toEqual(functionNames.flatMap(name => [`read-${name}`, name]));
  expect(await get(`/extended/v3/smart-contracts/${contract}`)).toMatchObject({ clarity_version: 7 });
});

test('a principal whose contract name has 41 to 128 characters can be asked for wherever a principal can', async t => {
  const { posted } = newerChain();
  const { get, app } = await serveChain(t, posted);
  const asset = encodeURIComponent(`${contract}::slice?`);
  const holders: string[] = [];
  for (let cursor = ''; ; ) {
    const page = await get(
      `/extended/v3/tokens/ft/${asset}/holders?limit=1${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
    );
    holders.push(...page.results.map((row: Json) => row.principal ?? row.address));
    cursor = page.cursor?.next ?? page.next ?? '';
    if (cursor === '') break;
  }
  expect(holders.sort()).toEqual([author.address, ...lengths.map(longPrincipal)].sort());
  const refused: string[] = [];
  for (const [path, { get: operation }] of Object.entries(openApiOf(app).paths)) {
    const parameter = operation?.parameters?.find(
      each => each.in === 'path' && /^(principal|address)$/.test(each.name),
    );
    if (!parameter || ofOthers.test(path)) continue;
    for (const length of lengths) {
      const url = path.replace(`{${parameter.name}}`, longPrincipal(length)).replaceAll(/\{[^}]*\}/g, '0');
      const { statusCode, body } = await app.inject(url);
      if (statusCode === 400 && body.includes(`params/${parameter.name} `)) refused.push(`${length} ${path} ${body}`);
    }
  }
  expect(refused).toEqual([]);
});
