// Applies all migrations to a temporary database and prints the resulting schema.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '../dist/db/client.js';
import { dumpSchema } from '../dist/db/dump-schema.js';
import { startEmbedded } from '../dist/db/embedded/embedded.js';
import { migrate } from '../dist/db/migrate.js';

const dataDir = mkdtempSync(join(tmpdir(), 'cairn-schema-'));
chmodSync(dataDir, 0o755);
try {
  const server = await startEmbedded({ dataDir, settings: { fsync: 'off' } });
  try {
    const sql = connect(server.url, { max: 1, name: 'dump schema' });
    try {
      await migrate(sql);
      process.stdout.write(await dumpSchema(sql));
    } finally {
      await sql.end();
    }
  } finally {
    await server.stop();
  }
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}
