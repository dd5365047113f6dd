// Prints the licences of the packages that are part of the built explorer: they are bundled, not installed beside it.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The packages that the sources of the explorer import, and those that these import themselves. */
export function bundledPackages(folder = join(root, 'explorer')) {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    file => /\.tsx?$/.test(file) && !file.startsWith('dist'),
  );
  const imported = files.flatMap(file =>
    [...readFileSync(join(folder, file), 'utf8').matchAll(/from '((?:@[\w.-]+\/)?[\w-][\w.-]*)[^']*'/g)].map(m => m[1]),
  );
  const all = new Set();
  const add = name => {
    if (all.has(name)) return;
    all.add(name);
    for (const dependency of Object.keys(manifestOf(name).dependencies ?? {})) {
      // Swagger UI is bundled as its own build, which names its parts in a file beside it.
      if (name !== 'swagger-ui-dist') add(dependency);
    }
  };
  for (const name of imported) add(name);
  return [...all].filter(name => !name.startsWith('@cairn-stacks/')).sort();
}

const manifestOf = name => JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8'));

function noticeOf(name) {
  const { version, license } = manifestOf(name);
  const folder = join(root, 'node_modules', name);
  const files = ['LICENSE', 'LICENSE.md', 'NOTICE', 'swagger-ui-bundle.js.LICENSE.txt'].filter(file =>
    existsSync(join(folder, file)),
  );
  const texts = files.map(file => readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n').trim());
  return [`${name} ${version} (${license})`, ...texts].join('\n\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const line = `\n\n${'-'.repeat(80)}\n\n`;
  const intro = 'The explorer in explorer/dist contains parts of these packages.';
  process.stdout.write(`${[intro, ...bundledPackages().map(noticeOf)].join(line)}\n`);
}
