import { none, principal, uint } from '@cairn-stacks/codec/clarity/build';
import { callPayload, transferPayload } from '@cairn-stacks/codec/transaction/build';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyError } from 'fastify';
import { Type } from 'typebox';
import type { PublicError } from '../../errors.ts';
import { describe } from '../../http/errors.ts';
import type { ApiContext } from '../api-context.ts';
import { bitcoinAddress, stacksAddress } from './access.ts';

const tags = ['Faucets'];
const FaucetError = Type.Object({ error: Type.String({ description: 'What went wrong.' }) }, { title: 'FaucetError' });
const refusals = { '4XX': FaucetError, '5XX': FaucetError };
const body = Type.Object({
  address: Type.String({ minLength: 1, maxLength: 256, description: 'The address that receives the payment.' }),
});
const giftOf = <K extends string>(chain: 'bitcoin' | 'stacks', unit: K) =>
  Type.Object({
    transaction: Type.Object({
      tx_id: Type.String({ description: 'Id of the transaction that pays.' }),
      chain: Type.Literal(chain),
    }),
    amount: Type.Object({
      [unit]: Type.String({ description: 'The amount in the smallest unit: micro-STX or satoshis.' }),
    } as Record<K, Type.TString>),
  });
const COST = 20;
const STX_GIFT = 500_000_000n;
const BTC_GIFT_SATS = 10_000n;
const SATS = 100_000_000;

/** Gifts of test money with a JSON body; the same faucets as those of the first version, with the same allowances. */
export const v3Faucets: FastifyPluginAsyncTypebox<ApiContext> = async (app, context) => {
  await app.register(faucetScope, context);
};

/** A scope of its own, for its form of errors. */
const faucetScope: FastifyPluginAsyncTypebox<ApiContext> = async (app, { faucets: access }) => {
  const { available, claim, faucets } = access;
  app.setErrorHandler((error: FastifyError | PublicError, _request, reply) => {
    const { status, body } = describe(error);
    // Unexpected errors go to the error handler of all routes.
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
        summary: 'Request testnet STX',
        description:
          'Sends 500 STX to the address. An address receives at most 5 payments in 5 minutes; the status is 429 ' +
          'above that. The status is 403 on mainnet or if the faucet is disabled.',
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
        summary: 'Request testnet sBTC',
        description:
          'Sends a fixed amount of sBTC to the address. An address receives at most 5 payments in 5 minutes; the ' +
          'status is 429 above that. The status is 403 on mainnet or if the faucet is disabled.',
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
        summary: 'Request testnet bitcoin',
        description:
          'Sends 10,000 satoshis to the address. An address receives at most 5 payments in 5 minutes; the status is ' +
          '429 above that. The status is 403 on mainnet or if the faucet is disabled.',
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
