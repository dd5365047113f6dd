import { test } from 'vitest';
import { testDatabase } from '../support/database.ts';
test('clone', async () => { for (let i = 0; i < Number(process.env.N); i++) { const d = await testDatabase(); await d.sql`select 1`; await d.drop(); } });
