import { UsageError } from '../errors.ts';

const PACKAGES = '@nats-io/transport-node @nats-io/jetstream';

export type NatsPackages = {
  transport: typeof import('@nats-io/transport-node');
  jetstream: typeof import('@nats-io/jetstream');
};

/** Loads the client of NATS, which is installed only where it is wanted. */
export async function loadNatsPackages(): Promise<NatsPackages> {
  try {
    const [transport, jetstream] = await Promise.all([import('@nats-io/transport-node'), import('@nats-io/jetstream')]);
    return { transport, jetstream };
  } catch (error) {
    if ((error as { code?: string }).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new UsageError(`CAIRN_PUBLISH needs optional packages: npm install ${PACKAGES}`, { cause: error });
  }
}
