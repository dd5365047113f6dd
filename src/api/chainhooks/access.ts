import type { IncomingMessage } from 'node:http';
import type { ChainhookAdmin } from '../../chainhooks/manage.ts';
import { PublicError } from '../../errors.ts';
import { findKey } from '../../http/keys/key-queries.ts';
import { hashOfKey, isKey, presentedKey } from '../../http/keys/key-text.ts';
import { isToken } from '../admin-request.ts';

/** What the routes of chainhooks work with. */
export type ChainhookAccess = {
  admin: ChainhookAdmin;
  /** It may have chainhooks as well; undefined where there is none. */
  adminToken: string | undefined;
};

/** The owner of what the admin token registers: no key has this name. */
const OPERATOR = '';
const HOW = 'send an API key that may have chainhooks as "x-api-key: KEY"';

/** Whether a request presents the admin token to a route that takes it. */
export const isAdminOfChainhooks = ({ url = '' }: IncomingMessage, text: string, token: string | undefined): boolean =>
  token !== undefined && /^\/chainhooks(?:[/?]|$)/.test(url) && isToken(text, token);

/** Whoever manages chainhooks, and the name that they belong to. */
type Caller = { admin: ChainhookAdmin; owner: string };

/** The caller of a request; 401 without a valid key, 403 for a key that may not have chainhooks. */
export async function callerOf(request: IncomingMessage, access: ChainhookAccess | undefined): Promise<Caller> {
  const text = presentedKey(request);
  if (text === undefined) throw new PublicError(401, `Chainhooks need a key: ${HOW}`);
  if (!access) throw new PublicError(503, 'Chainhooks cannot be managed in this process');
  const { admin, adminToken } = access;
  if (adminToken !== undefined && isToken(text, adminToken)) return { admin, owner: OPERATOR };
  const key = isKey(text) ? await findKey(admin.sql, Buffer.from(hashOfKey(text), 'base64')) : undefined;
  if (!key) throw new PublicError(401, `The API key is not known, or was revoked: ${HOW}`);
  if (key.hooks) return { admin, owner: key.name };
  throw new PublicError(
    403,
    'This API key may not have chainhooks: the operator adds one with "cairn keys add NAME --hooks"',
  );
}
