import type { TestContext } from 'vitest';
import type { Pool } from '../../src/db/client.ts';

/** Holds a lock until it is released: `select pg_advisory_lock_shared(7)` takes as long. */
export async function holdLock(t: TestContext, admin: Pool): Promise<() => Promise<void>> {
  let release = () => {};
  const released = new Promise<void>(resolve => {
    release = resolve;
  });
  let done: Promise<unknown> = released;
  await new Promise<void>((resolve, reject) => {
    done = admin.begin(async tx => {
      await tx`select pg_advisory_xact_lock(7)`;
      resolve();
      await released;
    });
    done.catch(reject);
  });
  const end = async () => {
    release();
    await done;
  };
  t.onTestFinished(end);
  return end;
}
