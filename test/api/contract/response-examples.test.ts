import { fileURLToPath } from 'node:url';
import { transferPayload } from '@cairn-stacks/codec/transaction/build';
import { accountAt } from '@cairn-stacks/devnet/chain/account';
import { makeTransaction } from '@cairn-stacks/devnet/residents/wallet';
import { expect, test } from 'vitest';
import { openApiOf } from '../../../src/api/docs/openapi.ts';
import { makeExamples } from '../../support/contract/response-examples.ts';
import { testDevnet } from '../../support/devnet.ts';
import { callerOf } from '../../support/metadata.ts';
import { serveChain } from '../../support/served-chain.ts';
import { simulatorOf } from '../../support/simulated.ts';

const file = fileURLToPath(new URL('../../../docs/response-examples.json', import.meta.url));

test('the examples of responses are those of the devnet with a fixed seed, and fit their schemas', async t => {
  const { node, posted, live, residents } = testDevnet({ seed: 7 });
  live(16);
  const api = await serveChain(t, posted, { callReadOnly: callerOf(node), simulate: simulatorOf(node) });
  // On a busy machine the second changes between two arrivals, which would change their order.
  await api.database.sql`update mempool set received_at = (select max(m.received_at) from mempool m)`;
  await api.database
    .sql`update mempool set dropped_at = (select max(m.dropped_at) from mempool m) where dropped_at > 0`;
  const origin = { account: accountAt(0, false), nonce: node.state.nonce(residents.address(0)) };
  const payload = transferPayload(residents.address(1), 1n, 'hello');
  const { raw } = makeTransaction({ network: node.network, origin, fee: 180n, payload, sign: false });
  const { examples, lacking } = await makeExamples(
    openApiOf(api.app),
    async ({ method, url, type, body }) => {
      const headers = type === undefined ? {} : { 'content-type': type };
      const sent = await api.app.inject({ method: method as 'GET', url, headers, ...(body && { payload: body }) });
      return { status: sent.statusCode, type: String(sent.headers['content-type']), body: sent.body };
    },
    { signed: [raw] },
  );
  expect(Object.keys(examples).length).toBeGreaterThan(100);
  await expect(`${JSON.stringify({ examples, lacking }, null, 1)}\n`).toMatchFileSnapshot(file);
});
