import { test } from 'vitest';
import { expectReconciled } from './reconciled-devnet.ts';

test('a devnet of 500 blocks with forks adds up', async () => await expectReconciled(500));
