import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { build } from '../support/running-service.ts';

const run = promisify(execFile);
const asModule = (code: string) => `data:text/javascript,${encodeURIComponent(code)}`;

/** Makes the packages of NATS look as if they were not installed. */
const absent = asModule(`export async function resolve(name, context, next) {
  if (name.startsWith('@nats-io/')) throw Object.assign(new Error(name), { code: 'ERR_MODULE_NOT_FOUND' });
  return await next(name, context);
}`);

test('without the optional packages the start says what to install', async () => {
  await build();
  const hooks = asModule(`import { register } from 'node:module'; register(${JSON.stringify(absent)});`);
  const file = new URL('../../dist/publish/nats-packages.js', import.meta.url).href;
  const code = `const { loadNatsPackages } = await import(${JSON.stringify(file)});
    await loadNatsPackages().catch(({ name, message }) => console.log(name + ': ' + message));`;
  const { stdout } = await run(process.execPath, ['--import', hooks, '--input-type=module', '-e', code]);
  expect(stdout).toBe(
    'UsageError: CAIRN_PUBLISH needs optional packages: npm install @nats-io/transport-node @nats-io/jetstream\n',
  );
});
