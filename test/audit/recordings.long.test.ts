import { describe, expect, test } from 'vitest';
import { auditAll } from '../../src/audit/audit.ts';
import { testDatabase } from '../support/database.ts';
import { casesOf, foldRecording, needRecordings, recordings } from '../support/recordings.ts';

describe('recorded chains', () => {
  needRecordings();
  test.each(casesOf(recordings))('%s has only findings with a reason', async name => {
    const db = await testDatabase();
    try {
      await foldRecording(db, name);
      expect((await auditAll(db.sql)).filter(finding => finding.reason === undefined)).toEqual([]);
    } finally {
      await db.drop();
    }
  });
});
