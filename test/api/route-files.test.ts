import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import Fastify, { type FastifyPluginAsync } from 'fastify';
import { expect, test } from 'vitest';
import { COMMA_LIST } from '../../src/api/docs/openapi.ts';
import { openFaucetAccess } from '../../src/api/faucets/access.ts';
import { routes } from '../../src/api/routes.ts';
import { networkOf } from '../../src/network.ts';

const folder = fileURLToPath(new URL('../../src/api/routes', import.meta.url));

const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter(file => file.endsWith('.ts'))
  .map(file => file.replace(/\.ts$/, ''));

/** The path that a URL stands for, by the rule of `src/api/routes.ts`. */
function pathOf(url: string): string {
  const [root, ...rest] = url.split('/').slice(1);
  const version = /^v[123]$/;
  const siblings = ['metadata', 'signer-metrics'];
  const unversioned = rest.filter(part => !version.test(part));
  const parts =
    root === 'extended' && version.test(rest[0] ?? '')
      ? rest
      : siblings.includes(root ?? '')
        ? [root!, ...(unversioned.length > 0 ? unversioned : ['index'])]
        : version.test(root ?? '')
          ? ['names', ...rest]
          : ['service', ...(root === 'extended' || root === '' ? ['index'] : [root!.replace(/\..*/, ''), ...rest])];
  return parts
    .map(part => part.replace(/^:pox$/, 'pox').replace(/^pox[234](?=_|$)/, 'pox'))
    .filter(part => !part.startsWith(':') && part !== '*')
    .join('/');
}

/** The deepest file whose path the path of the URL is or begins with. */
function fileOf(url: string): string | undefined {
  const path = pathOf(url);
  return files.filter(file => path === file || path.startsWith(`${file}/`)).sort((a, b) => b.length - a.length)[0];
}

/** The URLs that a plugin serves when nothing else is registered. */
async function urlsOf(plugin: FastifyPluginAsync<never>): Promise<string[]> {
  const app = Fastify({ ajv: { customOptions: { keywords: [COMMA_LIST] } } });
  const urls: string[] = [];
  app.addHook('onRoute', route => {
    urls.push(route.url);
  });
  const nothing = new Proxy({}, { get: () => undefined });
  const context = { network: networkOf(1), faucets: openFaucetAccess(false, {}), sql: nothing, tip: nothing };
  await app.register(plugin, context as never);
  await app.close();
  return [...new Set(urls)];
}

test.each(Object.entries(routes))('%s is served by the file that its URL names', async (prefix, plugin) => {
  const file = fileOf(prefix);
  expect(file, `${prefix} names no file`).toBeDefined();
  expect(pathOf(prefix), 'the line of the manifest names the file itself').toBe(file);
  const module = (await import(join(folder, `${file}.ts`))) as Record<string, unknown>;
  expect(Object.values(module)).toContain(plugin);
  const urls = await urlsOf(plugin as FastifyPluginAsync<never>);
  expect(urls).not.toEqual([]);
  expect(urls.map(url => [url, fileOf(url)])).toEqual(urls.map(url => [url, file]));
});

test('every file below routes/ has its line in the manifest', () => {
  expect(Object.keys(routes).map(fileOf).sort()).toEqual(files.map(file => relative('.', file)).sort());
});
