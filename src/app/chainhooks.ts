import type { Network } from '@cairn-stacks/codec/network';
import type { ChainhookAccess } from '../api/chainhooks/access.ts';
import type { ChainhookAdmin } from '../chainhooks/manage.ts';
import type { Config } from '../config/config.ts';
import { PublicError } from '../errors.ts';
import { openSecretKeys, type SecretKeys } from '../webhooks/secret-box.ts';
import type { RunningDatabase } from './database.ts';
import type { Lifecycle } from './lifecycle.ts';

/** Time limit of a statement that changes a chainhook. */
const WRITE_MS = 10_000;

/** The chainhooks that the API manages: those of the part that sends, or with connections of its own where another process sends. */
export function openChainhooks(
  parts: Lifecycle,
  config: Config,
  found: ChainhookAdmin | { database: RunningDatabase; network: Network },
): ChainhookAccess {
  const { adminToken, webhookAllow: allow } = config;
  if ('keys' in found) return { admin: found, adminToken };
  const { database, network } = found;
  const sql = parts.addPool('chainhooks', database.url, { max: 2, statementTimeoutMs: WRITE_MS });
  return { admin: { sql, keys: sharedKeys(config), allow, network }, adminToken };
}

/** A key that this process would make for itself is not that of the process that sends. */
function sharedKeys(config: Config): SecretKeys {
  const keys = openSecretKeys(config);
  const findOrMake = async () => {
    const box = await keys.find();
    if (!box) throw new PublicError(503, 'Chainhooks cannot be changed here: this process has no CAIRN_WEBHOOK_KEY');
    return box;
  };
  return { find: () => keys.find(), findOrMake };
}
