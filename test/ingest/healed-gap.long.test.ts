import { test } from 'vitest';
import { expectHealed } from './healed-gap.ts';

test('a gap of 1,000 blocks between log and node is healed', async t => await expectHealed(t, 1_000));
