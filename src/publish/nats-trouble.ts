import { messageOf } from '../errors.ts';
import type { NatsPackages } from './nats-packages.ts';
import { Trouble, type TroubleKind } from './trouble.ts';

/** Codes of errors of the server (`server/errors.json` of nats-server). */
const codes: Record<number, TroubleKind> = {
  10002: 'full', // resource limits of the account
  10003: 'not_allowed', // bad request
  10008: 'unreachable', // the cluster has no leader
  10023: 'full', // insufficient resources
  10028: 'full', // memory of the account
  10029: 'unreachable', // the stream is offline
  10039: 'not_allowed', // no JetStream for the account
  10047: 'full', // insufficient storage
  10054: 'too_large',
  10060: 'other_writer', // another stream takes the subject
  10065: 'refused', // subjects overlap with those of another stream
  10071: 'other_writer', // the sequence number is not the last one
  10076: 'not_allowed', // JetStream is off
  10077: 'full', // the stream stores no more
  10164: 'other_writer',
};

/** The error of a client of NATS as a trouble with a plain reason. */
export function troubleOf(error: unknown, { transport, jetstream }: NatsPackages): Trouble {
  if (error instanceof Trouble) return error;
  const because = (kind: TroubleKind, text: string) => new Trouble(kind, text, { cause: error });
  if (error instanceof jetstream.JetStreamApiError)
    return because(codes[error.code] ?? 'refused', `the broker answers: ${error.message}`);
  if (error instanceof jetstream.JetStreamError) return because('refused', `the broker answers: ${error.message}`);
  const { errors } = transport;
  const chain = [error, (error as Error)?.cause];
  if (chain.some(link => link instanceof errors.PermissionViolationError))
    return because('not_allowed', 'the user of CAIRN_PUBLISH lacks a permission');
  if (
    chain.some(
      link => link instanceof errors.AuthorizationError || link instanceof errors.UserAuthenticationExpiredError,
    )
  )
    return because('not_allowed', 'the broker does not accept the user or token of CAIRN_PUBLISH');
  if (chain.some(link => link instanceof errors.RequestError && link.isNoResponders()))
    return because('not_allowed', 'no JetStream answers, or no stream takes the subject');
  return because('unreachable', messageOf(error));
}
