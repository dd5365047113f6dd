import { createHash } from 'node:crypto';
import { bareHex, fromHex } from '@cairn-stacks/codec/hex';
import { addressOf, type PrivateKey, publicKeyOf } from '@cairn-stacks/codec/keys';
import { addressNetwork, type Network } from '@cairn-stacks/codec/network';
import { signHash } from '@cairn-stacks/codec/transaction/signing';
import Fastify from 'fastify';
import type { Reader } from '../../src/db/client.ts';
import { checkResponses } from '../../src/http/validation/response-check.ts';
import { createLog } from '../../src/log.ts';
import type { RosettaRoute } from '../../src/rosetta/route.ts';
import { rosettaServer } from '../../src/rosetta/server.ts';

export const silent = createLog({ level: 'silent', format: 'json' });

/** An answer of a Rosetta endpoint. */
export type Answer = { status: number; body: Record<string, unknown> };

/** Asks an endpoint below `/rosetta/v1`, for the right network unless the body names one. */
export type Ask = (path: string, body?: object) => Promise<Answer>;

/** Rosetta routes in their frame, without the rest of the API; every answer is held against its schema. */
export function rosettaShell(network: Network, compat: boolean, routes: readonly RosettaRoute[], sql?: Reader): Ask {
  const app = Fastify();
  if (sql) app.decorateRequest('sql', { getter: () => sql });
  app.setSerializerCompiler(checkResponses);
  void app.register(rosettaServer({ routes, network, compat, bodyLimit: 100_000, log: silent }));
  return askerOf(app, network);
}

export function askerOf(app: Pick<ReturnType<typeof Fastify>, 'inject'>, network: Network): Ask {
  const network_identifier = { blockchain: 'stacks', network: addressNetwork(network) };
  return async (path, body = {}) => {
    const payload = JSON.stringify({ network_identifier, ...body });
    const headers = { 'content-type': 'application/json' };
    const response = await app.inject({ method: 'POST', url: `/rosetta/v1${path}`, payload, headers });
    return { status: response.statusCode, body: response.json() };
  };
}

/** The body of an answer that must be good. */
export async function good(answer: Promise<Answer>): Promise<Answer['body']> {
  const { status, body } = await answer;
  if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`);
  return body;
}

/** Who signs in a test. */
export type Signer = { key: PrivateKey; address: string; public_key: { hex_bytes: string; curve_type: string } };

/** A key that comes from a name. */
export function signerNamed(
  name: string,
  network: Network,
  keyEncoding: PrivateKey['keyEncoding'] = 'compressed',
): Signer {
  const secret = new Uint8Array(createHash('sha256').update(name).digest());
  return signerOf({ secret, keyEncoding }, network);
}

export function signerOf(key: PrivateKey, { mainnet }: Network): Signer {
  const publicKey = publicKeyOf(key);
  return {
    key,
    address: addressOf(publicKey, mainnet ? 0 : 0x80),
    public_key: { hex_bytes: bareHex(publicKey), curve_type: 'secp256k1' },
  };
}

/** Signs a payload as wallets of the specification do: r ‖ s ‖ v. */
export function signPayload(payload: { hex_bytes: string }, { key, public_key }: Signer) {
  const signature = signHash(fromHex(payload.hex_bytes), key.secret);
  const hex_bytes = bareHex(Uint8Array.of(...signature.subarray(1), signature[0]!));
  return { signing_payload: payload, public_key, signature_type: 'ecdsa_recovery', hex_bytes };
}

const currency = { symbol: 'STX', decimals: 6 };
export const amountOf = (value: bigint | number) => ({ value: value.toString(), currency });

type Part = { type: string; address: string; value: bigint | number; metadata?: object };

/** Operations in their order. */
export const operationsOf = (parts: readonly Part[]) =>
  parts.map(({ type, address, value, metadata }, index) => ({
    operation_identifier: { index },
    type,
    account: { address },
    amount: amountOf(value),
    ...(metadata && { metadata }),
  }));

export const transferOf = (from: string, to: string, amount: bigint | number, fee: bigint | number) =>
  operationsOf([
    { type: 'fee', address: from, value: -BigInt(fee) },
    { type: 'token_transfer', address: from, value: -BigInt(amount) },
    { type: 'token_transfer', address: to, value: amount },
  ]);

/** What an operation asks for, without what an answer adds. */
export const intentOf = (operations: readonly object[]) =>
  (operations as ReturnType<typeof operationsOf>).map(({ type, account, amount }) => ({ type, account, amount }));
