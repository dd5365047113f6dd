import { none, principal, uint } from '@cairn-stacks/codec/clarity/build';
import { callPayload, transferPayload } from '@cairn-stacks/codec/transaction/build';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import type { ApiContext } from '../api-context.ts';
import { bitcoinAddress, defaultAllowance, stacksAddress } from './access.ts';
import type { Allowance } from './claims.ts';
import { faucetError } from './faucet.ts';
import { BitcoinFaucetBalance, BitcoinFaucetGift, FaucetGift, FaucetRefusal } from './faucet-schema.ts';

const tags = ['Faucets'];
const refusals = { '4XX': FaucetRefusal, '5XX': FaucetRefusal };
const MAX_ADDRESS = 256;
const address = Type.Optional(
  Type.String({ maxLength: MAX_ADDRESS, description: 'The address that receives the payment.' }),
);
const AddressBody = Type.Union([Type.Object({ address }), Type.Null()]);

const STACKING: Allowance = { times: 1, windowMs: 2 * 24 * 3_600_000 };

/** In micro-STX. */
const STX_GIFT = 500_000_000n;
/** In bitcoin. */
const BTC_GIFTS = { default: 0.0001, large: 0.01, xlarge: 0.5 };
const MEMO = 'faucet';
/** Clients look at `success`, also where the request was refused before it reached the faucet. */
const config = { cost: 20, errorFields: { success: false } };

/** An address and a few flags. */
const LARGEST_BODY = 10_000;

/** Test money. A disabled faucet responds with 403. */
export const v1Faucets: FastifyPluginAsyncTypebox<ApiContext> = async (app, { faucets: access }) => {
  const { available, faucets, claim: claimOf } = access;

  const claim = <T>(key: string, allowance: Allowance, give: () => Promise<T>) => claimOf(key, give, allowance);

  // Clients that send nothing still say that it is JSON.
  const parseJson = app.getDefaultJsonParser('error', 'error');

  app.removeContentTypeParser('application/json');

  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) =>
    body === '' ? done(null, null) : parseJson(request, String(body), done),
  );

  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, body, done) =>
    done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  );

  app.post(
    '/extended/v1/faucets/stx',
    {
      bodyLimit: LARGEST_BODY,
      config,
      schema: {
        operationId: 'run_faucet_stx',
        summary: 'Request testnet STX',
        description:
          'Sends 500 STX to the address or, with `stacking`, 120 % of the minimum that stacking requires. An ' +
          'address receives at most 5 payments in 5 minutes, and one stacking payment in 2 days; the status is 429 ' +
          'above that. The status is 403 on mainnet or if the faucet is disabled.',
        tags,
        querystring: Type.Object({
          address,
          stacking: Type.Optional(
            Type.Boolean({
              default: false,
              description: 'Whether to send 120 % of the minimum that stacking requires, instead of 500 STX.',
            }),
          ),
        }),
        response: { 200: FaucetGift, ...refusals },
      },
    },
    async ({ query: { address: to, stacking }, body }) => {
      const { faucet, minimumStacking } = available(faucets.stx, 'STX');
      if (!to && (body as { address?: unknown } | null | undefined)?.address !== undefined) {
        throw faucetError(400, 'POST body is not supported for this endpoint', {
          help: 'Send the address as a query parameter: /extended/v1/faucets/stx?address=ADDRESS',
        });
      }
      const recipient = stacksAddress(to);
      return await claim(
        `${stacking ? 'stacking' : 'stx'} ${recipient}`,
        stacking ? STACKING : defaultAllowance,
        async () => {
          const amount = stacking ? ((await minimumStacking()) * 12n) / 10n : STX_GIFT;
          return { success: true as const, ...(await faucet.give(() => transferPayload(recipient, amount, MEMO))) };
        },
      );
    },
  );

  app.post(
    '/extended/v1/faucets/sbtc',
    {
      bodyLimit: LARGEST_BODY,
      config,
      schema: {
        operationId: 'run_faucet_sbtc',
        summary: 'Request testnet sBTC',
        description:
          'Sends a fixed amount of sBTC to the address. An address receives at most 5 payments in 5 minutes; the ' +
          'status is 429 above that. The status is 403 on mainnet or if the faucet is disabled.',
        tags,
        querystring: Type.Object({ address }),
        response: { 200: FaucetGift, ...refusals },
      },
    },
    async ({ query }) => {
      const { faucet, contract, amount } = available(faucets.sbtc, 'sBTC');
      const to = stacksAddress(query.address);
      const payload = (from: string) =>
        callPayload(contract, 'transfer', [uint(amount), principal(from), principal(to), none]);
      return await claim(`sbtc ${to}`, defaultAllowance, async () => ({
        success: true as const,
        ...(await faucet.give(payload)),
      }));
    },
  );

  app.post(
    '/extended/v1/faucets/btc',
    {
      bodyLimit: LARGEST_BODY,
      config,
      schema: {
        operationId: 'run_faucet_btc',
        summary: 'Request testnet bitcoin',
        description:
          'Sends 0.0001 BTC to the address, 0.01 BTC with `large`, or 0.5 BTC with `xlarge`. The address is read ' +
          'from the query or from the body. An address receives at most 5 payments in 5 minutes; the status is 429 ' +
          'above that. The status is 403 on mainnet or if the faucet is disabled.',
        tags,
        querystring: Type.Object({
          address,
          large: Type.Optional(
            Type.Boolean({ default: false, description: 'Whether to send 0.01 BTC instead of 0.0001 BTC.' }),
          ),
          xlarge: Type.Optional(
            Type.Boolean({ default: false, description: 'Whether to send 0.5 BTC. Cannot be combined with `large`.' }),
          ),
        }),
        body: Type.Optional(AddressBody),
        response: { 200: BitcoinFaucetGift, ...refusals },
      },
    },
    async ({ query, body }) => {
      const faucet = available(faucets.btc, 'BTC');
      const to = bitcoinAddress(query.address || body?.address);
      if (query.large && query.xlarge) {
        throw faucetError(400, 'cannot simultaneously request a large and xlarge amount');
      }
      const amount = query.xlarge ? BTC_GIFTS.xlarge : query.large ? BTC_GIFTS.large : BTC_GIFTS.default;
      return await claim(`btc ${to}`, defaultAllowance, async () => ({
        success: true as const,
        ...(await faucet.give(to, amount)),
      }));
    },
  );

  app.get(
    '/extended/v1/faucets/btc/:address',
    {
      config: { ...config, freshness: 'none' },
      schema: {
        operationId: 'get_btc_balance',
        summary: 'Get the bitcoin balance of a testnet address',
        description: 'Returns the balance in bitcoin. The status is 403 on mainnet or if the faucet is disabled.',
        tags,
        params: Type.Object({
          address: Type.String({ maxLength: MAX_ADDRESS, description: 'A Bitcoin address of a test network.' }),
        }),
        response: { 200: BitcoinFaucetBalance, ...refusals },
      },
    },
    async ({ params }) => {
      const faucet = available(faucets.btc, 'BTC');
      return { balance: await faucet.balanceOf(bitcoinAddress(params.address)) };
    },
  );
};
