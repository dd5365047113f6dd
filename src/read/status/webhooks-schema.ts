import { type Static, Type } from 'typebox';
import type { WebhookStanding } from './webhooks-queries.ts';

export const WebhooksStatus = Type.Object(
  {
    webhooks: Type.Array(
      Type.Object(
        {
          name: Type.String({ description: 'Name of the webhook.' }),
          state: Type.Enum(['active', 'failing', 'paused', 'disabled', 'expired'], {
            description:
              '`failing`: the last request did not arrive; it is sent again. `paused`: by an operator, or after a day of failures. `disabled`: the receiver does not want it any more. `expired`: it has sent what it was to send.',
          }),
          block_height: Type.Integer({
            description: 'Height of the last block that was delivered; -1 before the first.',
          }),
          backlog_blocks: Type.Integer({ description: 'Blocks above it.' }),
          delivered_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
            description: 'When the last request arrived; null before the first.',
          }),
        },
        { title: 'WebhookStatus' },
      ),
      { description: 'All webhooks of the operator by name.' },
    ),
  },
  { title: 'WebhooksStatus' },
);

export const renderWebhooks = (rows: readonly WebhookStanding[]): Static<typeof WebhooksStatus> => ({
  webhooks: rows
    .filter(({ owned }) => !owned)
    .map(({ name, state, height, backlog, delivered_at }) => ({
      name,
      state,
      block_height: height,
      backlog_blocks: backlog,
      delivered_at: delivered_at?.toISOString() ?? null,
    })),
});
