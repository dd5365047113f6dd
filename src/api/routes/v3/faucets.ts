import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyError } from 'fastify';
import { Type } from 'typebox';
import { none, principal, uint } from '../../../codec/clarity/build.ts';
import { callPayload, transferPayload } from '../../../codec/transaction/build.ts';
import type { PublicError } from '../../../errors.ts';
import { bitcoinAddress, stacksAddress } from '../../faucets/access.ts';
import { describe } from '../../http/errors.ts';
import type { RouteContext } from '../../route-context.ts';

const tags = ['Faucets'];
const FaucetError = Type.Object({ error: Type.String() }, { title: 'FaucetError' });
const refusals = { '4XX': FaucetError, '5XX': FaucetError };
const body = Type.Object({
  address: Type.String({ minLength: 1, maxLength: 256, description: 'Who is to get something.' }),
});
const giftOf = <K extends string>(chain: 'bitcoin' | 'stacks', unit: K) =>
  Type.Object({
    transaction: Type.Object({ tx_id: Type.String(), chain: Type.Literal(chain) }),
    amount: Type.Object({ [unit]: Type.String({ description: 'In the smallest unit.' }) } as Record<K, Type.TString>),
  });
const COST = 20;
const STX_GIFT = 500_000_000n;
const BTC_GIFT_SATS = 10_000n;
const SATS = 100_000_000;

/** Gifts of test money with a JSON body; the same faucets as those of the first version, with the same allowances. */
export const v3Faucets: FastifyPluginAsyncTypebox<RouteContext> = async (app, { faucets: access }) => {
  const { available, claim, faucets } = access;
  app.setErrorHandler((error: FastifyError | PublicError, _request, reply) => {
    const { status, body } = describe(error);
    // What nobody expected is logged and told by the handler of all routes.
    if (status === 500) throw error;
    const said = body as { error?: string; message?: string };
    return reply.code(status).send({ error: said.message ?? said.error ?? 'Faucet request failed' });
  });

  app.post(
    '/extended/v3/faucets/stx',
    {
      config: { cost: COST },
      schema: {
        operationId: 'run_stx_faucet',
        summary: 'Get STX of a test network',
        tags,
        body,
        response: { 200: giftOf('stacks', 'stx'), ...refusals },
      },
    },
    async ({ body: { address } }) => {
      const { faucet } = available(faucets.stx, 'STX');
      const to = stacksAddress(address);
      const { txId } = await claim(`stx ${to}`, () => faucet.give(() => transferPayload(to, STX_GIFT, 'faucet')));
      return { transaction: { tx_id: txId, chain: 'stacks' as const }, amount: { stx: String(STX_GIFT) } };
    },
  );

  app.post(
    '/extended/v3/faucets/sbtc',
    {
      config: { cost: COST },
      schema: {
        operationId: 'run_sbtc_faucet',
        summary: 'Get sBTC of a test network',
        tags,
        body,
        response: { 200: giftOf('stacks', 'sbtc'), ...refusals },
      },
    },
    async ({ body: { address } }) => {
      const { faucet, contract, amount } = available(faucets.sbtc, 'sBTC');
      const to = stacksAddress(address);
      const payload = (from: string) =>
        callPayload(contract, 'transfer', [uint(amount), principal(from), principal(to), none]);
      const { txId } = await claim(`sbtc ${to}`, () => faucet.give(payload));
      return { transaction: { tx_id: txId, chain: 'stacks' as const }, amount: { sbtc: String(amount) } };
    },
  );

  app.post(
    '/extended/v3/faucets/btc',
    {
      config: { cost: COST },
      schema: {
        operationId: 'run_btc_faucet',
        summary: 'Get bitcoin of a test network',
        tags,
        body,
        response: { 200: giftOf('bitcoin', 'btc'), ...refusals },
      },
    },
    async ({ body: { address } }) => {
      const faucet = available(faucets.btc, 'BTC');
      const to = bitcoinAddress(address);
      const { txid } = await claim(`btc ${to}`, () => faucet.give(to, Number(BTC_GIFT_SATS) / SATS));
      return { transaction: { tx_id: txid, chain: 'bitcoin' as const }, amount: { btc: String(BTC_GIFT_SATS) } };
    },
  );
};
