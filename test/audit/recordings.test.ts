import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { auditAll } from '../../src/audit/audit.ts';
import { EventLog } from '../../src/ingest/event-log.ts';
import { findChainId } from '../../src/ingest/recorded-chain.ts';
import { LogSink, replayFile } from '../../src/ingest/replay.ts';
import { identifyFile } from '../../src/ingest/replay-mark.ts';
import { networkOf } from '../../src/network.ts';
import { testDatabase } from '../support/database.ts';
import { foldAll } from '../support/service.ts';

const folder = fileURLToPath(new URL('../../../shared/conformance/datasets/', import.meta.url));
const names = existsSync(folder) ? readdirSync(folder) : [];

// Recorded events stand beside the project, not in it.
describe.runIf(names.length > 0)('recorded chains', () => {
  test.each(names)('%s has only findings with a reason', { timeout: 60_000 }, async name => {
    const db = await testDatabase();
    try {
      const path = `${folder}${name}/events.tsv.gz`;
      const log = new EventLog(db.sql);
      await replayFile({ sql: db.sql, file: await identifyFile(path), sink: new LogSink(db.sql, log) });
      await log.close();
      const { name: network, chainId, addresses } = networkOf((await findChainId(path))!);
      await foldAll(db, [], { network: { name: network, chainId, mainnet: addresses === 'mainnet' } });
      expect((await auditAll(db.sql)).filter(finding => finding.reason === undefined)).toEqual([]);
    } finally {
      await db.drop();
    }
  });
});
