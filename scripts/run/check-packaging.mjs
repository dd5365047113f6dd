import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { capture } from './child-process.mjs';
import { CommandError } from './error.mjs';

const overlays = ['packaging/kubernetes/base', 'packaging/kubernetes/overlays/cloudnative-pg'];
const compose = ['packaging/compose/compose.yaml', 'packaging/compose/compose.scaled.yaml'];

/** External tools, each with the commands that check our files; `needs` is a command that shows whether a plugin is there. */
export const tools = [
  { checks: 'Dockerfile', tool: 'hadolint', commands: [['Dockerfile']] },
  {
    checks: 'compose files',
    tool: 'docker',
    needs: ['compose', 'version'],
    commands: compose.map(file => ['compose', '--file', file, 'config', '--quiet']),
  },
  { checks: 'Kustomize', tool: 'kustomize', commands: overlays.map(folder => ['build', folder]) },
  { checks: 'Kustomize', tool: 'kubectl', commands: overlays.map(folder => ['kustomize', folder]) },
  {
    checks: 'Kubernetes schemas',
    tool: 'kubeconform',
    commands: [
      [
        '-strict',
        '-ignore-missing-schemas',
        'packaging/kubernetes/base/ingest.yaml',
        'packaging/kubernetes/base/api.yaml',
        'packaging/kubernetes/base/network-policies.yaml',
      ],
    ],
  },
  { checks: 'alerts', tool: 'promtool', commands: [['check', 'rules', 'packaging/prometheus/cairn.rules.yml']] },
  {
    checks: 'systemd unit',
    tool: 'systemd-analyze',
    commands: [['security', '--offline=true', '--threshold=30', 'packaging/systemd/cairn.service']],
  },
];

/** Runs the tests of packaging, then every external tool that is installed; names those that are not. */
export async function checkPackaging(root, args, runTests) {
  const unknown = args.find(arg => arg !== '--tools-only');
  if (unknown !== undefined)
    throw new CommandError(`Unknown option ${unknown}: check:packaging takes only --tools-only`);
  const env = { ...process.env, POSTGRES_PASSWORD: 'check' };
  let failed = args.includes('--tools-only') ? 0 : await runTests(root, 'test', ['test/packaging']);
  const missed = [];
  for (const { checks, tool, needs, commands } of tools) {
    const plugin = needs === undefined || (isInstalled(tool, env) && (await isUsable(tool, needs)));
    if (!isInstalled(tool, env) || !plugin) {
      missed.push([tool, needs?.[0]].filter(Boolean).join(' '));
      continue;
    }
    for (const command of commands) {
      const { code } = await capture(tool, command, { cwd: root, env });
      console.log(`${code === 0 ? 'ok  ' : 'FAIL'} ${checks}: ${[tool, ...command].join(' ')}`);
      if (code !== 0) failed = 1;
    }
  }
  if (missed.length > 0) console.log(`not installed, so not run: ${missed.join(', ')}`);
  return failed;
}

const isInstalled = (tool, { PATH = '' }) => PATH.split(':').some(folder => existsSync(join(folder, tool)));

const isUsable = (tool, args) =>
  new Promise(resolve => {
    const child = spawn(tool, args, { stdio: 'ignore' });
    child.once('error', () => resolve(false));
    child.once('close', code => resolve(code === 0));
  });
