import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ensureCompiled, ensurePackages } from './build.mjs';
import { CommandError } from './error.mjs';

/** Compiles the benchmarks with the service and runs one. Prints a table, or with --json one flat object as the last line. */
export async function bench(root, args) {
  const [name, ...rest] = args.filter(arg => arg !== '--json');
  const names = listBenches(root);
  if (name === undefined || isHelp(name)) {
    console.log(`Benches, run with npm run bench -- NAME [--json]:\n${names.map(each => `  ${each}`).join('\n')}`);
    return;
  }
  if (!names.includes(name))
    throw new CommandError(`There is no bench ${name}: there are ${names.join(', ') || 'none'}`);
  await ensurePackages(root);
  await ensureCompiled(root, {
    config: 'bench/tsconfig.json',
    folders: ['src', 'bench'],
    rootDir: '.',
    output: '.run/bench',
  });
  const { run, usage } = await import(join(root, '.run', 'bench', 'bench', `${name}.js`));
  const line = ['npm run bench --', name, usage?.options, '[--json]'].filter(Boolean).join(' ');
  if (rest.some(isHelp)) {
    console.log([line, usage?.about].filter(Boolean).join('\n\n'));
    return;
  }
  const figures = await run(rest).catch(error => {
    throw error.code?.startsWith('ERR_PARSE_ARGS') ? new CommandError(`${error.message}\n${line}`) : error;
  });
  const text = args.includes('--json') ? JSON.stringify(figures) : renderFigures(figures);
  process.stdout.write(`${text}\n`, () => process.exit());
}

const isHelp = arg => arg === '--help' || arg === '-h';

/** Every TypeScript file directly in bench; shared code is in its folders. */
export function listBenches(root) {
  const folder = join(root, 'bench');
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter(file => file.endsWith('.ts'))
    .map(file => file.slice(0, -'.ts'.length))
    .sort();
}

export function renderFigures(figures) {
  const rows = Object.entries(figures).map(([name, value]) => [
    name,
    Number(value.toPrecision(6)).toLocaleString('en'),
  ]);
  const widths = [0, 1].map(column => Math.max(0, ...rows.map(row => row[column].length)));
  return rows.map(([name, value]) => `${name.padEnd(widths[0])}  ${value.padStart(widths[1])}`).join('\n');
}
