import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { routeFiles, serviceRouteFiles } from '../../src/api/routes.ts';
import { listRoutes } from '../../src/commands/routes.ts';

const source = fileURLToPath(new URL('../../src', import.meta.url));
const listed = { ...routeFiles, ...Object.assign({}, ...Object.values(serviceRouteFiles)) } as Record<string, unknown>;

const isRouteFile = (file: string) =>
  /^(api|mcp|read|stream)\/.*routes(-v\d)?\.ts$/.test(file) && file !== 'api/routes.ts';

test('every route file is listed under its own path', async () => {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(isRouteFile);
  // Those of the private port are no part of the API.
  const own = files.map(file => file.replace(/\.ts$/, '')).filter(file => !file.endsWith('/admin-routes'));
  expect(Object.keys(listed).sort()).toEqual(own.sort());
  for (const [file, plugin] of Object.entries(listed)) {
    const module = (await import(join(source, `${file}.ts`))) as Record<string, unknown>;
    expect(Object.values(module), file).toContain(plugin);
  }
});

test('every route file serves a URL, and a file that names a version serves only URLs of it', async () => {
  const routes = await listRoutes();
  expect(routes.length).toBeGreaterThan(200);
  const serving = new Set(routes.map(({ file }) => file));
  expect(Object.keys(listed).filter(file => !serving.has(file))).toEqual([]);
  const mixed = routes.filter(({ file, url }) => {
    const [, version] = /routes-(v\d)$/.exec(file) ?? [];
    return version !== undefined && !url.startsWith(`/extended/${version}/`);
  });
  expect(mixed).toEqual([]);
});
