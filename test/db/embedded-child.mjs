// Runs the embedded server in a process of its own, so that a test can kill it: prints its URL, stops at SIGTERM.
import { connect } from '../../dist/db/client.js';
import { startEmbedded } from '../../dist/db/embedded/embedded.js';

const server = await startEmbedded(JSON.parse(process.argv[2]));
const sql = connect(server.url, { max: 1, name: 'child' });
const [{ pid }] = await sql`select split_part(pg_read_file('postmaster.pid'), e'\n', 1)::int as pid`;
process.on('SIGTERM', async () => {
  await new Promise(resolve => setTimeout(resolve, 200));
  const [{ answer }] = await sql`select 42 as answer`; // the signal has not reached the server
  await sql.end();
  await server.stop();
  console.log(JSON.stringify({ answer }));
  process.exit(0);
});
console.log(JSON.stringify({ url: server.url, pid }));
setInterval(() => {}, 1000);
