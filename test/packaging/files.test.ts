import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import { DockerfileParser } from 'dockerfile-ast';
import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { aliasNames, readConfig, settings } from '../../src/config/config.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const ajv = new Ajv({ allowUnionTypes: true });
const known = new Set<string>([...Object.values(settings).map(({ name }) => name as string), ...aliasNames.keys()]);

/** Runs the service with an environment; it must end by itself. */
const start = (env: Record<string, string>) =>
  new Promise<{ code: number | null; err: string }>(resolve => {
    const options = { cwd: root, env: { PATH: process.env.PATH, ...env } };
    const child = execFile(process.execPath, ['dist/main.js', 'start'], options, (_, __, err) =>
      resolve({ code: child.exitCode, err }),
    );
  });

describe('the image', () => {
  const dockerfile = DockerfileParser.parse(read('Dockerfile'));
  const lines = dockerfile.getInstructions().map(each => ({
    keyword: each.getKeyword(),
    text: each.getArgumentsContent() ?? '',
    line: each.getRange().start.line,
  }));
  const stages = lines.filter(({ keyword }) => keyword === 'FROM');
  const final = lines.filter(({ line }) => line > stages.at(-1)!.line);
  const last = (keyword: string) => final.findLast(each => each.keyword === keyword)?.text;
  const env = Object.fromEntries(
    dockerfile
      .getENVs()
      .flatMap(each => each.getProperties())
      .map(property => [property.getName(), property.getValue() ?? '']),
  );

  test('has stages, a user without rights, a health check and only the files that run', () => {
    expect(stages).toHaveLength(3);
    // The build runs where it is fast, the dependencies are those of the target platform.
    const froms = read('Dockerfile')
      .split('\n')
      .filter(line => line.startsWith('FROM '));
    expect(froms.map(line => line.includes('--platform=$BUILDPLATFORM'))).toEqual([true, false, false]);
    for (const { text } of stages) expect(text).toMatch(/node:\d+-bookworm-slim/);
    expect(lines.map(({ keyword }) => keyword)).not.toContain('ADD');
    expect(last('USER')).toBe('node');
    expect(last('EXPOSE')?.split(' ')).toEqual(['3999', '3700', '9153']);
    expect(last('HEALTHCHECK')).toContain('CMD ["node", "healthcheck.mjs"]');
    expect([last('ENTRYPOINT'), last('CMD'), last('STOPSIGNAL')]).toEqual([
      '["node", "dist/main.js"]',
      '["start"]',
      'SIGTERM',
    ]);
    const copied = final.filter(({ keyword }) => keyword === 'COPY').map(({ text }) => text);
    const files = copied.flatMap(text => text.split(/\s+/).slice(0, -1));
    for (const file of files.filter(path => !path.startsWith('/'))) {
      // Of a pattern, its folder.
      const path = file.includes('*') ? dirname(file) : file;
      expect([file, existsSync(join(root, path))]).toEqual([file, true]);
    }
    expect(copied.filter(text => /^\S+ \.$|^\. /.test(text))).toEqual([]);
    const ignored = read('.dockerignore').split('\n');
    for (const folder of ['.git', '**/node_modules', 'dist', '.run']) expect(ignored).toContain(folder);
  });

  test('listens on all interfaces, and takes the environment that Clarinet gives the incumbent', () => {
    const clarinet = {
      ...{ STACKS_CORE_RPC_HOST: 'stacks-node.devnet', STACKS_CORE_RPC_PORT: '20443' },
      ...{ STACKS_BLOCKCHAIN_API_PORT: '3999', STACKS_BLOCKCHAIN_API_HOST: '0.0.0.0' },
      ...{ STACKS_CORE_EVENT_PORT: '3700', STACKS_CORE_EVENT_HOST: '0.0.0.0', STACKS_CHAIN_ID: '2147483648' },
      ...{
        PG_HOST: 'postgres.devnet',
        PG_PORT: '5432',
        PG_USER: 'postgres',
        PG_PASSWORD: 'p',
        PG_DATABASE: 'stacks_api',
      },
      ...{ NODE_ENV: 'development', STACKS_API_LOG_LEVEL: 'debug', V2_POX_MIN_AMOUNT_USTX: '90000000260' },
    };
    const { config, warnings } = readConfig({ ...env, ...clarinet });
    expect(warnings).toEqual([]);
    expect(config).toMatchObject({
      ...{ apiHost: '0.0.0.0', apiPort: 3999, observerHost: '0.0.0.0', observerPort: 3700, metricsHost: '0.0.0.0' },
      databaseUrl: 'postgres://postgres:p@postgres.devnet:5432/stacks_api',
      nodes: [{ url: 'http://stacks-node.devnet:20443' }],
    });
    // A user may set the address by either name.
    expect(readConfig({ ...env, STACKS_BLOCKCHAIN_API_HOST: '127.0.0.1' }).config.apiHost).toBe('127.0.0.1');
    expect(readConfig({ ...env, CAIRN_API_HOST: '127.0.0.1' }).config.apiHost).toBe('127.0.0.1');
  });

  test('ends with one line that says what to set when it is misconfigured', async () => {
    const wrong: [Record<string, string>, RegExp][] = [
      [{ CAIRN_ROLE: 'api' }, /^cairn: CAIRN_ROLE=api reads the database of another process: set DATABASE_URL\n$/],
      [{ CAIRN_API_PORT: 'web' }, /^cairn: CAIRN_API_PORT=web is not understood: expected a port[^\n]*\n$/],
      [{ CAIRN_ROLE: 'rosetta-offline' }, /^cairn: [^\n]*set CAIRN_NETWORK\n$/],
    ];
    for (const [given, line] of wrong) {
      const { code, err } = await start({ ...env, CAIRN_DATA_DIR: '/nowhere', ...given });
      expect([given, code, err]).toEqual([given, 2, expect.stringMatching(line)]);
    }
  });

  test('is healthy while its service is alive, with or without a metrics port', async t => {
    const server = createServer((request, response) => {
      response.statusCode = request.url === '/healthz' ? 200 : 404;
      response.end();
    });
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    t.onTestFinished(() => void server.close());
    const port = String((server.address() as AddressInfo).port);
    const check = (given: Record<string, string>) =>
      new Promise<number | null>(resolve => {
        const options = { env: { PATH: process.env.PATH, ...given } };
        const child = execFile(process.execPath, [join(root, 'packaging/docker/healthcheck.mjs')], options, () =>
          resolve(child.exitCode),
        );
      });
    expect(await check({ CAIRN_METRICS_PORT: port, CAIRN_API_PORT: '9' })).toBe(0);
    expect(await check({ CAIRN_METRICS_PORT: '9', STACKS_BLOCKCHAIN_API_PORT: port })).toBe(0);
    expect(await check({ CAIRN_METRICS_PORT: '9', CAIRN_API_PORT: '9' })).toBe(1);
  });
});

const composeSchema = {
  type: 'object',
  required: ['name', 'services'],
  patternProperties: { '^x-': {} },
  properties: {
    name: { type: 'string' },
    volumes: { type: 'object' },
    services: {
      type: 'object',
      additionalProperties: {
        type: 'object',
        required: ['image', 'restart'],
        additionalProperties: false,
        properties: {
          ...Object.fromEntries(
            ['image', 'restart', 'shm_size', 'stop_grace_period'].map(key => [key, { type: 'string' }]),
          ),
          ...Object.fromEntries(
            ['command', 'entrypoint', 'cap_drop', 'security_opt', 'tmpfs', 'volumes', 'ports'].map(key => [
              key,
              { type: 'array', items: { type: 'string' } },
            ]),
          ),
          build: { type: 'object' },
          read_only: { type: 'boolean' },
          environment: { type: 'object', additionalProperties: { type: ['string', 'number'] } },
          depends_on: { type: ['object', 'array'] },
          healthcheck: { type: 'object', required: ['test', 'interval', 'retries'] },
        },
      },
    },
  },
  additionalProperties: false,
};

type Compose = {
  services: Record<
    string,
    {
      image: string;
      read_only?: boolean;
      cap_drop?: string[];
      ports?: string[];
      volumes?: string[];
      environment?: Record<string, string>;
      depends_on?: Record<string, unknown> | string[];
    }
  >;
  volumes: Record<string, unknown>;
};

describe.each(['compose.yaml', 'compose.scaled.yaml'])('%s', file => {
  const compose = parse(read(`packaging/compose/${file}`), { merge: true }) as Compose;
  const services = Object.entries(compose.services);

  test('has the form of a compose file, and everything that it names exists', () => {
    expect([ajv.validate(composeSchema, compose), ajv.errors]).toEqual([true, null]);
    for (const [name, { volumes = [], depends_on = [] }] of services) {
      const others = Array.isArray(depends_on) ? depends_on : Object.keys(depends_on);
      for (const other of others)
        expect([name, Object.keys(compose.services)]).toEqual([name, expect.arrayContaining([other])]);
      for (const volume of volumes.map(text => text.split(':')[0]!)) {
        const exists = volume.startsWith('.')
          ? existsSync(join(root, 'packaging/compose', volume))
          : volume in compose.volumes;
        expect([name, volume, exists]).toEqual([name, volume, true]);
      }
    }
  });

  test('runs Cairn without rights, with settings that exist, and publishes only what clients need', () => {
    const own = services.filter(([, { image }]) => image.includes('cairn'));
    expect(own.length).toBeGreaterThan(0);
    for (const [name, { read_only, cap_drop, environment = {} }] of own) {
      expect([name, read_only, cap_drop]).toEqual([name, true, ['ALL']]);
      expect([name, Object.keys(environment).filter(key => !known.has(key))]).toEqual([name, []]);
    }
    const published = services.flatMap(([name, { ports = [] }]) => ports.map(port => [name, port.split(':').at(-1)]));
    expect(published.filter(([, port]) => port !== '3999' && port !== '20444')).toEqual([]);
  });
});

test('the scaled topology is a primary, two replicas, two ingest, three api and a load balancer to all of them', () => {
  const { services } = parse(read('packaging/compose/compose.scaled.yaml'), { merge: true }) as Compose;
  const roles = Object.values(services).map(({ environment }) => environment?.CAIRN_ROLE);
  expect([roles.filter(role => role === 'ingest').length, roles.filter(role => role === 'api').length]).toEqual([2, 3]);
  expect(Object.keys(services).filter(name => name.startsWith('postgres-'))).toHaveLength(3);
  const upstreams = [...read('packaging/compose/nginx.conf').matchAll(/^\s*server (api-\d):3999/gm)].map(
    ([, name]) => name,
  );
  expect(upstreams).toEqual(Object.keys(services).filter(name => services[name]!.environment?.CAIRN_ROLE === 'api'));
});

type Manifest = { apiVersion: string; kind: string; metadata: { name: string }; spec: Record<string, unknown> };
type Pod = {
  metadata: { labels: Record<string, string> };
  spec: {
    securityContext: object;
    affinity: { podAntiAffinity: object };
    containers: {
      env: { name: string; value?: string }[];
      ports: { name: string; containerPort: number }[];
      securityContext: object;
      resources: { requests: object; limits: object };
      startupProbe: Probe;
      livenessProbe: Probe;
      readinessProbe: Probe;
    }[];
  };
};
type Probe = { httpGet: { path: string; port: string } };

describe('the Kustomize files', () => {
  const folder = 'packaging/kubernetes/base';
  const documents = (path: string) => {
    const all = parseAllDocuments(read(path));
    expect([path, all.flatMap(document => document.errors)]).toEqual([path, []]);
    return all.map(document => document.toJS() as Manifest);
  };
  const manifests = readdirSync(join(root, folder))
    .filter(file => file !== 'kustomization.yaml')
    .flatMap(file => documents(`${folder}/${file}`));
  const ofKind = (kind: string) => manifests.filter(manifest => manifest.kind === kind);

  test('name files that exist', () => {
    for (const each of ['base', 'overlays/cloudnative-pg']) {
      const path = `packaging/kubernetes/${each}/kustomization.yaml`;
      type Kustomization = { kind: string; resources: string[]; patches?: { path: string }[] };
      const { kind, resources, patches = [] } = parse(read(path)) as Kustomization;
      expect(kind).toBe('Kustomization');
      for (const file of [...resources, ...patches.map(patch => patch.path)]) {
        expect([path, file, existsSync(join(root, dirname(path), file))]).toEqual([path, file, true]);
      }
    }
    expect(documents('packaging/kubernetes/overlays/cloudnative-pg/cluster.yaml')).toMatchObject([{ kind: 'Cluster' }]);
  });

  test('give every workload probes, limits, anti-affinity, a budget and a policy', () => {
    const schema = { type: 'object', required: ['apiVersion', 'kind', 'metadata', 'spec'] };
    for (const manifest of manifests) expect(ajv.validate(schema, manifest)).toBe(true);
    const workloads = ofKind('Deployment');
    expect(workloads.map(({ metadata }) => metadata.name).sort()).toEqual(['cairn-api', 'cairn-ingest']);
    for (const { metadata, spec } of workloads) {
      const { template } = spec as { template: Pod };
      const { labels } = template.metadata;
      const [container] = template.spec.containers;
      expect(template.spec.securityContext).toMatchObject({
        runAsNonRoot: true,
        seccompProfile: { type: 'RuntimeDefault' },
      });
      expect(container!.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      expect(template.spec.affinity.podAntiAffinity).toBeDefined();
      expect(container!.resources).toMatchObject({
        requests: { cpu: expect.anything() },
        limits: { memory: expect.anything() },
      });
      const ports = container!.ports.map(({ name }) => name);
      for (const probe of [container!.startupProbe, container!.livenessProbe, container!.readinessProbe]) {
        expect(ports).toContain(probe.httpGet.port);
        expect(['/healthz', '/readyz']).toContain(probe.httpGet.path);
      }
      expect(container!.env.map(({ name }) => name).filter(name => !known.has(name))).toEqual([]);
      for (const kind of ['PodDisruptionBudget', 'NetworkPolicy', 'Service']) {
        const found = ofKind(kind).filter(manifest => manifest.metadata.name === metadata.name);
        const { selector, podSelector } = found[0]!.spec as Record<string, { matchLabels?: object } | undefined>;
        const wanted = (selector ?? podSelector)!;
        expect([kind, wanted.matchLabels ?? wanted]).toEqual([kind, labels]);
      }
    }
  });

  test('the patches of the overlay hit the setting that they replace', () => {
    const [{ path, value }] = parse(read('packaging/kubernetes/overlays/cloudnative-pg/database.yaml')) as [
      { path: string; value: object },
    ];
    const index = Number(/env\/(\d+)/.exec(path)![1]);
    expect(value).toEqual({ name: 'cairn-postgres-app', key: 'uri' });
    for (const { spec } of ofKind('Deployment')) {
      expect((spec as { template: Pod }).template.spec.containers[0]!.env[index]!.name).toBe('DATABASE_URL');
    }
  });
});

test('the systemd unit runs the command of the package, hardened, and does not repeat a start with wrong settings', () => {
  const lines = read('packaging/systemd/cairn.service')
    .split('\n')
    .filter(line => line.includes('=') && !line.startsWith('#'));
  const unit = Object.fromEntries(
    lines.map(line => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
  expect(unit).toMatchObject({
    ...{ ExecStart: '/usr/bin/cairn start', DynamicUser: 'yes', NoNewPrivileges: 'yes', ProtectSystem: 'strict' },
    ...{ CapabilityBoundingSet: '', RestartPreventExitStatus: '2', StateDirectory: 'cairn' },
  });
  const names = unit.Environment!.split(' ').map(pair => pair.split('=')[0]!);
  // Settings of Node.js and of the allocator of glibc.
  const others = ['NODE_ENV', 'MALLOC_ARENA_MAX', 'MALLOC_MMAP_THRESHOLD_', 'MALLOC_TRIM_THRESHOLD_'];
  expect(names.filter(name => !others.includes(name) && !known.has(name))).toEqual([]);
});
