// Writes the database of a small simulated chain, as a built program leaves it, to test/releases/NAME.json.br. The tests open the
// file of every release with the present program. A release runs it for itself; --program dumps another one.
// Usage: node scripts/release-data.mjs NAME [--program FOLDER]
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { brotliCompressSync, constants } from 'node:zlib';
import { connect } from '../dist/db/client.js';
import { CopyConnection } from '../dist/db/copy-connection.js';
import { startEmbedded } from '../dist/db/embedded/embedded.js';

const root = fileURLToPath(new URL('..', import.meta.url));

/** What happens on the chain: forks of both chains, a block that arrives late, and one that arrives twice. */
const HISTORY = [
  'mine',
  'fork?count=2',
  'mine?count=2',
  'bitcoin-fork?count=1',
  'late?count=2',
  'mine?count=3',
  'duplicate',
];
/** A command that earlier releases of the devnet lack. */
const MAY_LACK = ['bitcoin-fork?count=1'];

/** Starts a command of the program; resolves with the first match of a pattern in its output. */
async function launch(program, args, env, pattern, stops) {
  const child = spawn(process.execPath, [join(program, 'dist/main.js'), ...args], {
    env: { PATH: process.env.PATH, CAIRN_LOG_FORMAT: 'json', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  stops.push(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  });
  let output = '';
  return await new Promise((resolve, reject) => {
    child.once('exit', code => reject(new Error(`${args[0]} ended with code ${code}: ${output}`)));
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', text => {
        output += text;
        const found = pattern.exec(output);
        if (found) resolve(found);
      });
    }
  });
}

/** Lets the program fold a chain of its own devnet into the database. */
async function playHistory(program, url, dataDir) {
  const stops = [];
  try {
    const ports = { CAIRN_API_PORT: '0', CAIRN_METRICS_PORT: '0', CAIRN_OBSERVER_PORT: '0', CAIRN_DEVNET_PORT: '0' };
    const settings = { ...ports, CAIRN_DATA_DIR: dataDir, CAIRN_DEVNET_BLOCK_SECONDS: '86400', CAIRN_DEVNET_SEED: '1' };
    const service = { ...settings, DATABASE_URL: url, CAIRN_NETWORK: 'devnet' };
    const [ready] = await launch(program, ['start'], service, /^.*"ready on .*$/m, stops);
    const [api, observer] = ['api', 'observer'].map(
      part => `http://127.0.0.1:${/\d+$/.exec(JSON.parse(ready)[part])[0]}`,
    );
    const args = ['devnet', '--observer', observer, '--port', '0'];
    const [, node] = await launch(program, args, settings, /Node +(http:\/\/127\.0\.0\.1:\d+)\//, stops);
    for (const command of HISTORY) {
      const response = await fetch(`${node}/devnet/${command}`, { method: 'POST' });
      if (!response.ok && !(response.status === 404 && MAY_LACK.includes(command))) {
        throw new Error(`${command}: ${response.status} ${await response.text()}`);
      }
    }
    const { height: tip } = await (await fetch(`${node}/devnet`)).json();
    const served = async () => (await (await fetch(`${api}/extended`)).json()).chain_tip?.block_height;
    while ((await served()) !== tip) await new Promise(resolve => setTimeout(resolve, 200));
  } finally {
    // The node first: the service then folds all that was posted.
    for (const stop of stops.reverse()) await stop();
  }
}

/** All rows of all tables as COPY texts, the positions of the sequences, and the migrations that created them. */
async function dumpDatabase(program, url) {
  const directory = join(program, 'dist/db/migrations');
  const names = readdirSync(directory).sort();
  const migrations = names.map(name => ({ name, text: readFileSync(join(directory, name), 'utf8') }));
  const sql = connect(url, { max: 1, name: 'release data' });
  const copy = await CopyConnection.open(url, 'release data');
  try {
    const tables = {};
    const found = await sql`
      select c.relname as name,
        (select string_agg(quote_ident(a.attname), ', ' order by a.attnum) from pg_attribute a
         where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns
      from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
      order by c.relname
    `;
    for (const { name, columns } of found) tables[name] = { columns, rows: await copyOut(copy, name, columns) };
    const sequences = await sql`
      select s.sequencename as name, s.last_value::text as value
      from pg_sequences s
      where s.schemaname = 'public' and s.last_value is not null
      order by 1
    `;
    return { migrations, tables, sequences };
  } finally {
    await copy.end();
    await sql.end();
  }
}

async function copyOut(connection, table, columns) {
  const pieces = [];
  await connection.copyTo(`copy "${table}" (${columns}) to stdout`, async bytes => void pieces.push(bytes));
  return Buffer.concat(pieces).toString();
}

async function main() {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { program: { type: 'string', default: root } },
  });
  const [name] = positionals;
  if (name === undefined || positionals.length > 1)
    throw new Error('usage: node scripts/release-data.mjs NAME [--program FOLDER]');
  const dataDir = mkdtempSync(join(tmpdir(), 'cairn-release-'));
  chmodSync(dataDir, 0o755);
  const server = await startEmbedded({ dataDir: join(dataDir, 'server'), settings: { fsync: 'off' } });
  try {
    await playHistory(values.program, server.url, dataDir);
    const text = JSON.stringify(await dumpDatabase(values.program, server.url));
    const file = join(root, 'test/releases', `${name}.json.br`);
    mkdirSync(join(root, 'test/releases'), { recursive: true });
    const params = { [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_SIZE_HINT]: text.length };
    const bytes = brotliCompressSync(text, { params });
    writeFileSync(file, bytes);
    console.log(`wrote ${file}: ${Math.round(bytes.length / 1000)} kB of ${Math.round(text.length / 1000)} kB`);
  } finally {
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    await main();
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
