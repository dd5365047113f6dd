import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { databaseLost } from '../../src/api/http/errors.ts';
import { connect } from '../../src/db/client.ts';

test('a server that ends connections while they open counts as lost, and not as a fault of the program', async t => {
  const server = createServer(socket => socket.once('data', () => socket.end()));
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  t.onTestFinished(() => void server.close());
  const { port } = server.address() as { port: number };
  const sql = connect(`postgres://nobody@127.0.0.1:${port}/none`, { max: 1, name: 'opening', readOnly: true });
  const error = await sql`select 1`.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  await sql.end({ timeout: 0 });
  expect(error).toBeInstanceOf(Error);
  expect(databaseLost(error)).toBe(true);
});
