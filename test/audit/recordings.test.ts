import { describe, expect, test } from 'vitest';
import { auditAll } from '../../src/audit/audit.ts';
import { testDatabase } from '../support/database.ts';
import { foldRecording, recordings } from '../support/recordings.ts';

describe.runIf(recordings.length > 0)('recorded chains', () => {
  test.each(recordings)('%s has only findings with a reason', { timeout: 60_000 }, async name => {
    const db = await testDatabase();
    try {
      await foldRecording(db, name);
      expect((await auditAll(db.sql)).filter(finding => finding.reason === undefined)).toEqual([]);
    } finally {
      await db.drop();
    }
  });
});
