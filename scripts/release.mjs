// Makes a release: version, changelog, data for the tests of upgrades, commit, tag, npm package with provenance. It only prints its steps unless --publish is
// given. Usage: node scripts/release.mjs VERSION [--publish]
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const VERSION = /^(\d+)\.(\d+)\.(\d+)(-[0-9A-Za-z.-]+)?$/;

/** Throws unless the version is a semantic version above the current one. */
export function checkVersion(version, current) {
  const [next, before] = [version, current].map(text => VERSION.exec(text)?.slice(1, 4).map(Number));
  if (!next) throw new Error(`${version} is not a version such as 1.2.3`);
  const at = next.findIndex((part, i) => part !== before[i]);
  if (at < 0 ? version === current : next[at] < before[at]) throw new Error(`${version} is not above ${current}`);
}

/** Gives the unreleased changes the heading of the version; throws if there are none. */
export function releaseChangelog(text, version, date) {
  const [, changes] = /^## \[Unreleased\]\n([\s\S]*?)(?=^## \[|$(?![\s\S]))/m.exec(text) ?? [];
  if (!changes || changes.trim() === '') throw new Error('CHANGELOG.md has nothing under [Unreleased]');
  return text.replace('## [Unreleased]\n', () => `## [Unreleased]\n\n## [${version}] - ${date}\n`);
}

/** The manifests of the packages of this project: all have one version. */
const manifests = [
  'package.json',
  'packages/codec/package.json',
  'packages/devnet/package.json',
  'explorer/package.json',
];

/** The version in the text of a package.json or of package-lock.json, with everything else unchanged. */
export function setVersion(text, version) {
  const manifest = JSON.parse(text);
  const own = manifest.packages
    ? manifests.map(path => manifest.packages[path.replace(/\/?package\.json$/, '')])
    : [manifest];
  if (manifest.packages) manifest.version = version;
  for (const each of own) {
    each.version = version;
    for (const needed of [each.dependencies, each.devDependencies]) {
      for (const name of Object.keys(needed ?? {})) if (name.startsWith('@cairn-stacks/')) needed[name] = version;
    }
  }
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

/** The steps of a release: files to write, then commands to run. */
export function planRelease(version, files, date) {
  checkVersion(version, JSON.parse(files['package.json']).version);
  const [, before] = /-([a-z]+)/.exec(version) ?? [];
  return {
    files: {
      ...Object.fromEntries(manifests.map(path => [path, setVersion(files[path], version)])),
      'package-lock.json': setVersion(files['package-lock.json'], version),
      'CHANGELOG.md': releaseChangelog(files['CHANGELOG.md'], version, date),
    },
    commands: [
      ['npm', 'run', 'check'],
      ['npm', 'run', 'check:packaging'],
      ['npm', 'test'],
      ['node', 'scripts/release-data.mjs', version],
      ['git', 'add', 'test/releases'],
      ['git', 'commit', '--all', '--message', `Release ${version}`],
      ['git', 'tag', '--annotate', `v${version}`, '--message', `Version ${version}`],
      ['npm', 'publish', '--provenance', '--access', 'public', '--tag', before ?? 'latest'],
      ['npm', 'publish', '--workspaces', '--provenance', '--access', 'public', '--tag', before ?? 'latest'],
      ['git', 'push', '--follow-tags'],
    ],
  };
}

function main([version, ...flags]) {
  const unknown = flags.find(flag => flag !== '--publish');
  if (version === undefined || version.startsWith('-') || unknown !== undefined) {
    throw new Error('usage: node scripts/release.mjs VERSION [--publish]');
  }
  const names = [...manifests, 'package-lock.json', 'CHANGELOG.md'];
  const files = Object.fromEntries(names.map(name => [name, readFileSync(join(root, name), 'utf8')]));
  const plan = planRelease(version, files, new Date().toISOString().slice(0, 10));
  const publish = flags.includes('--publish');
  if (publish && execFileSync('git', ['status', '--porcelain'], { cwd: root, encoding: 'utf8' }) !== '') {
    throw new Error('the working tree has changes: commit or remove them first');
  }
  for (const [name, text] of Object.entries(plan.files)) {
    console.log(`write ${name}`);
    if (publish) writeFileSync(join(root, name), text);
  }
  for (const [command, ...args] of plan.commands) {
    console.log(`run ${[command, ...args.map(arg => (arg.includes(' ') ? `'${arg}'` : arg))].join(' ')}`);
    if (publish) execFileSync(command, args, { cwd: root, stdio: 'inherit' });
  }
  if (!publish) console.log('nothing was changed: add --publish to do it, in CI with an OIDC token for the provenance');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    main(process.argv.slice(2));
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
