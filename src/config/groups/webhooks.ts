import * as is from '../setting.ts';
import { optional, set } from '../setting.ts';

/** Webhooks: where they may lead, and what their secrets are encrypted with. */
export const webhooksSettings = {
  webhookAllow: set({
    name: 'CAIRN_WEBHOOK_ALLOW',
    kind: is.list(is.subnet),
    fallback: '',
    about:
      'Comma-separated networks that are not public and may be sent webhooks, such as `10.0.0.0/8`; http is sent only there. All others get https at public addresses.',
  }),
  webhookKey: optional({
    name: 'CAIRN_WEBHOOK_KEY',
    kind: is.encryptionKey,
    unset: 'a key in the file `webhook.key` of `CAIRN_DATA_DIR`, made with the first webhook',
    secret: true,
    about:
      'Key that secrets of webhooks are encrypted with in the database. Give all processes of a database the same one.',
  }),
} as const;
