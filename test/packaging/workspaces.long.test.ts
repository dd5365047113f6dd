import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'vite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findBrowser, startBrowser } from '../explorer/support/browser.mjs';
import { good, set } from '../support/proofs.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'cairn-workspaces-'));

type Manifest = { name: string; version: string; dependencies?: Record<string, string> };
const manifestIn = (path: string) => JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')) as Manifest;

/** Unpacks what `npm pack` makes of a package, and copies its dependencies and theirs: nothing else can be imported. */
async function install(name: string): Promise<void> {
  const source = join(root, 'packages', name);
  const { name: full, version } = manifestIn(source);
  await run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: source });
  const target = join(folder, 'node_modules', full);
  mkdirSync(target, { recursive: true });
  const tarball = join(folder, `${full.replace('@', '').replace('/', '-')}-${version}.tgz`);
  await run('tar', ['-xzf', tarball, '-C', target, '--strip-components=1']);
  copyDependencies(manifestIn(target));
}

function copyDependencies({ dependencies = {} }: Manifest): void {
  for (const name of Object.keys(dependencies)) {
    if (name.startsWith('@cairn-stacks/')) continue;
    const target = join(folder, 'node_modules', name);
    const source = join(root, 'node_modules', name);
    mkdirSync(dirname(target), { recursive: true });
    // Copied: a link would find other packages of this project.
    cpSync(source, target, { recursive: true, dereference: true });
    copyDependencies(manifestIn(source));
  }
}

beforeAll(async () => {
  writeFileSync(join(folder, 'package.json'), '{"name":"empty","private":true,"type":"module"}');
  await install('codec');
  await install('devnet');
  await install('client');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const list = '0x0b0000000101000000000000000000000000000000ff';
const key = '753b7cc01a1a2e86221266a154af739463fce51219d97e4f856cd7200c3bd2a601';
const useCodec = `
  import { addressOf, decodeClarity, encodeClarity, fromHex, parsePrivateKey, reprClarity } from '@cairn-stacks/codec';
  import { sha512_256 } from '@cairn-stacks/codec/hash-browser';
  import { transactionId } from '@cairn-stacks/codec/transaction/transaction';
  const repr = reprClarity(encodeClarity(decodeClarity(fromHex('${list}'))));
  const isSame = transactionId(fromHex('${list}')).every((byte, i) => byte === sha512_256(fromHex('${list}'))[i]);
  const text = [repr, addressOf(parsePrivateKey('${key}'), 0x80), isSame].join(' ');`;
const expected = '(list u255) ST1PQHQKV0RJXZFY1DGX8MNSNYVE3VGZJSRTPGZGM true';

/** A proof and the set of its signers, which a program of the client's user has as JSON. */
const useClient = `
  import { verifyProof } from '@cairn-stacks/client';
  const proof = ${JSON.stringify(good)};
  const signers = ${JSON.stringify({ signers: set.map(({ key: signing_key, weight }) => ({ signing_key, weight })) })};
  const forged = { ...proof, raw_tx: proof.raw_tx + '00' };
  const text = Promise.all([verifyProof(proof, { signers }), verifyProof(forged, { signers })])
    .then(([one, two]) => [one.signed.weight, two.valid, two.step].join(' '));`;

test('the codec runs alone, with its dependencies', async () => {
  const script = `${useCodec} console.log(text);`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script], { cwd: folder });
  expect(stdout).toBe(`${expected}\n`);
});

test('the codec and the client run in a browser, with the hashes for browsers', async t => {
  const found = await findBrowser();
  t.skip(found === undefined, 'there is no browser: CAIRN_TEST_BROWSER may name one');
  const browser = await startBrowser(found!);
  t.onTestFinished(() => browser.close());
  /** What a bundled program shows in a page. */
  const shownBy = async (program: string): Promise<unknown> => {
    writeFileSync(join(folder, 'page.mjs'), `${program} globalThis.shown = text;`);
    await build({
      root: folder,
      configFile: false,
      logLevel: 'error',
      build: { outDir: 'out', lib: { entry: 'page.mjs', formats: ['iife'], name: 'page', fileName: () => 'page.js' } },
    });
    const script = readFileSync(join(folder, 'out', 'page.js'), 'utf8');
    expect(script).not.toContain('node:crypto');
    const page = await browser.newPage();
    await page.addScriptTag({ content: script });
    return await page.evaluate('globalThis.shown');
  };
  expect(await shownBy(useCodec)).toBe(expected);
  expect(await shownBy(useClient)).toBe('7 false transaction');
});

test('the client checks proofs where only it and its dependency are installed', async () => {
  const script = `${useClient} console.log(await text);`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script], { cwd: folder });
  expect(stdout).toBe('7 false transaction\n');
});

test('the types of the packages are complete', async () => {
  writeFileSync(
    join(folder, 'consumer.ts'),
    `import { type ClarityValue, decodeClarity, fromHex } from '@cairn-stacks/codec';
     import { Client, verifyProof } from '@cairn-stacks/client';
     import { type Devnet, startDevnet, type UserAccount } from '@cairn-stacks/devnet';
     export const prove = async (id: string): Promise<boolean> =>
       (await verifyProof(await new Client('x').call('get_transaction_proof', { tx_id: id }), { node: 'y' })).valid;
     export const value: ClarityValue = decodeClarity(fromHex('${list}'));
     export const first = (devnet: Devnet): UserAccount | undefined => devnet.accounts[0];
     export const start = async (): Promise<Devnet> => await startDevnet({ seed: 2 });
     // @ts-expect-error: bytes are no text
     decodeClarity('${list}');`,
  );
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022', '--types', ''];
  const tsc = join(root, 'node_modules', '.bin', 'tsc');
  expect((await run(tsc, [...options, 'consumer.ts'], { cwd: folder })).stderr).toBe('');
});

test('the devnet runs alone: its events arrive, it mines and forks on command, by the program and by its command', async t => {
  const paths: string[] = [];
  const observer = createServer((request, response) => {
    paths.push(request.url!);
    request.resume().once('end', () => response.end());
  });
  await new Promise<void>(resolve => observer.listen(0, '127.0.0.1', resolve));
  t.onTestFinished(() => void observer.close().closeAllConnections());
  const url = `http://127.0.0.1:${(observer.address() as AddressInfo).port}`;
  writeFileSync(
    join(folder, 'devnet.mjs'),
    `import { execFileSync, execFile } from 'node:child_process';
     import { promisify } from 'node:util';
     import { startDevnet } from '@cairn-stacks/devnet';
     const devnet = await startDevnet({ observer: '${url}', blocks: 3 });
     const mined = await devnet.mine(2);
     const forked = await devnet.fork(1);
     const command = ['node_modules/@cairn-stacks/devnet/dist/main.js', 'mine', '--url', devnet.url];
     const { stdout } = await promisify(execFile)(process.execPath, command);
     const info = await (await fetch(devnet.url + '/v2/info')).json();
     await devnet.stop();
     console.log(JSON.stringify({ mined, forked, commanded: JSON.parse(stdout), tip: info.stacks_tip_height }));`,
  );
  const { stdout } = await run(process.execPath, ['devnet.mjs'], { cwd: folder });
  const { mined, forked, commanded, tip } = JSON.parse(stdout) as Record<
    'mined' | 'forked' | 'commanded',
    { height: number }
  > & {
    tip: number;
  };
  expect([mined.height, forked.height, commanded.height, tip]).toEqual([
    mined.height,
    mined.height + 1,
    mined.height + 2,
    mined.height + 2,
  ]);
  expect(paths.filter(path => path === '/new_block').length).toBeGreaterThanOrEqual(tip);
});

test('the command of the devnet names what is wrong', async () => {
  const main = join(folder, 'node_modules', '@cairn-stacks', 'devnet', 'dist', 'main.js');
  const failing = (...args: string[]) =>
    run(process.execPath, [main, ...args]).then(
      () => 'no error',
      ({ code, stderr }: { code: number; stderr: string }) => `${code} ${stderr.trim()}`,
    );
  expect(await failing('mine', '--url', 'http://127.0.0.1:9')).toBe(
    '2 cairn-devnet: no devnet responds at http://127.0.0.1:9: start it with `cairn-devnet`, or set --url',
  );
  expect(await failing('--port', '99999')).toBe(
    '2 cairn-devnet: --port 99999: expected a whole number from 0 to 65535',
  );
  expect(await failing('--observer', 'here')).toMatch(/^2 cairn-devnet: --observer here: expected a URL/);
  expect(await failing('dance')).toMatch(
    /^2 cairn-devnet: cairn-devnet dance is not a command: expected one of mine, /,
  );
  expect(await failing('--accounts', 'one two')).toMatch(/^2 cairn-devnet: not a BIP-39 mnemonic/);
});
