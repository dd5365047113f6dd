import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { type BitcoinNetwork, bitcoinToPoxAddress } from '../../codec/address/bitcoin-address.ts';
import { isPrincipal } from '../../codec/address/principal.ts';
import { none, principal, uint } from '../../codec/clarity/build.ts';
import { CodecError } from '../../codec/error.ts';
import { callPayload, transferPayload } from '../../codec/transaction/build.ts';
import { BitcoinFaucetBalance, BitcoinFaucetGift, FaucetGift, FaucetRefusal } from '../../schemas/faucet.ts';
import type { BitcoinFaucet } from '../faucets/bitcoin-faucet.ts';
import { type Allowance, Claims } from '../faucets/claims.ts';
import { faucetError } from '../faucets/faucet.ts';
import type { StacksFaucet } from '../faucets/stacks-faucet.ts';
import type { RouteContext } from '../server.ts';
import { faucetV3Routes } from './v3/faucets.ts';

/** The faucets that are on; none of them ever is on mainnet. */
export type Faucets = {
  stx?: { faucet: StacksFaucet; minimumStacking(): Promise<bigint> };
  sbtc?: { faucet: StacksFaucet; contract: string; amount: bigint };
  btc?: BitcoinFaucet;
};

const tags = ['Faucets'];
const refusals = { '4XX': FaucetRefusal, '5XX': FaucetRefusal };
const MAX_ADDRESS = 256;
const address = Type.Optional(Type.String({ maxLength: MAX_ADDRESS, description: 'Who is to get something.' }));
const AddressBody = Type.Union([Type.Object({ address }), Type.Null()]);

const USUAL: Allowance = { times: 5, windowMs: 5 * 60_000 };
const STACKING: Allowance = { times: 1, windowMs: 2 * 24 * 3_600_000 };

/** In micro-STX. */
const STX_GIFT = 500_000_000n;
/** In bitcoin. */
const BTC_GIFTS = { usual: 0.0001, large: 0.01, xlarge: 0.5 };
const MEMO = 'faucet';
const COST = 20;

/** An address and a few flags. */
const LARGEST_BODY = 10_000;

/** What the faucets of all versions share: which are on, and how much an address had. */
export type FaucetAccess = ReturnType<typeof faucetAccess>;

function faucetAccess(isMainnet: boolean, faucets: Faucets) {
  const claims = new Claims();
  return {
    faucets,
    available<T>(faucet: T | undefined, name: string): T {
      if (isMainnet) throw faucetError(403, 'Faucet is not available');
      if (!faucet) throw faucetError(403, `${name} faucet is not available`);
      return faucet;
    },
    /** Gives, if the address had not too much already; what fails in the end does not count. */
    async claim<T>(key: string, give: () => Promise<T>, allowance = USUAL): Promise<T> {
      if (!claims.take(key, allowance)) throw faucetError(429, 'Too many requests');
      try {
        return await give();
      } catch (error) {
        claims.undo(key);
        throw error;
      }
    },
  };
}

/** Gifts of test money. What is off answers 403. */
export const faucetRoutes: FastifyPluginAsyncTypebox<RouteContext & { faucets: Faucets }> = async (
  app,
  { network, faucets, ...context },
) => {
  const access = faucetAccess(network.mainnet, faucets);
  const { available, claim: claimOf } = access;
  const claim = <T>(key: string, allowance: Allowance, give: () => Promise<T>) => claimOf(key, give, allowance);
  await app.register(faucetV3Routes, { ...context, network, access });

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
      config: { cost: COST },
      schema: {
        operationId: 'run_faucet_stx',
        summary: 'Get STX of a test network',
        tags,
        querystring: Type.Object({
          address,
          stacking: Type.Optional(
            Type.Boolean({ default: false, description: 'As much as stacking needs, and a fifth more.' }),
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
      return await claim(`${stacking ? 'stacking' : 'stx'} ${recipient}`, stacking ? STACKING : USUAL, async () => {
        const amount = stacking ? ((await minimumStacking()) * 12n) / 10n : STX_GIFT;
        return { success: true as const, ...(await faucet.give(() => transferPayload(recipient, amount, MEMO))) };
      });
    },
  );

  app.post(
    '/extended/v1/faucets/sbtc',
    {
      bodyLimit: LARGEST_BODY,
      config: { cost: COST },
      schema: {
        operationId: 'run_faucet_sbtc',
        summary: 'Get sBTC of a test network',
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
      return await claim(`sbtc ${to}`, USUAL, async () => ({
        success: true as const,
        ...(await faucet.give(payload)),
      }));
    },
  );

  app.post(
    '/extended/v1/faucets/btc',
    {
      bodyLimit: LARGEST_BODY,
      config: { cost: COST },
      schema: {
        operationId: 'run_faucet_btc',
        summary: 'Get bitcoin of a test network',
        tags,
        querystring: Type.Object({
          address,
          large: Type.Optional(Type.Boolean({ default: false, description: '0.01 instead of 0.0001.' })),
          xlarge: Type.Optional(Type.Boolean({ default: false, description: '0.5.' })),
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
      const amount = query.xlarge ? BTC_GIFTS.xlarge : query.large ? BTC_GIFTS.large : BTC_GIFTS.usual;
      return await claim(`btc ${to}`, USUAL, async () => ({
        success: true as const,
        ...(await faucet.give(to, amount)),
      }));
    },
  );

  app.get(
    '/extended/v1/faucets/btc/:address',
    {
      config: { freshness: 'none', cost: COST },
      schema: {
        operationId: 'get_btc_balance',
        summary: 'What an address has on the Bitcoin test network',
        tags,
        params: Type.Object({ address: Type.String({ maxLength: MAX_ADDRESS }) }),
        response: { 200: BitcoinFaucetBalance, ...refusals },
      },
    },
    async ({ params }) => {
      const faucet = available(faucets.btc, 'BTC');
      return { balance: await faucet.balanceOf(bitcoinAddress(params.address)) };
    },
  );
};

export function stacksAddress(text: string | undefined): string {
  if (!text) throw faucetError(400, 'address required');
  if (!isPrincipal(text)) throw faucetError(400, 'Invalid address: not a Stacks address');
  return text;
}

const TEST_NETWORKS: ReadonlySet<BitcoinNetwork> = new Set(['testnet', 'regtest']);

export function bitcoinAddress(text: string | undefined): string {
  if (!text) throw faucetError(400, 'address required');
  try {
    if (TEST_NETWORKS.has(bitcoinToPoxAddress(text).network)) return text;
  } catch (error) {
    if (!(error instanceof CodecError)) throw error;
  }
  throw faucetError(400, 'Invalid BTC regtest address');
}
