import { Type } from 'typebox';
import { asOfIn } from '../pages/as-of-params.ts';
import type { AsOf } from '../pages/as-of-queries.ts';

/** A name with its namespace; look-alikes of other scripts are refused before they are looked for. */
export const NameParam = Type.String({
  pattern: '^[\\x21-\\x2d\\x2f-\\x7e]{1,48}\\.[\\x21-\\x2d\\x2f-\\x7e]{1,20}$',
  description: 'A name with its namespace, in ASCII, such as `muneeb.btc`.',
});

/** A namespace alone. */
export const LabelParam = Type.String({
  pattern: '^[\\x21-\\x2d\\x2f-\\x7e]{1,20}$',
  description: 'A namespace, such as `btc`.',
});

export const nameLimit = Type.Optional(
  Type.Integer({ minimum: 1, maximum: 200, default: 50, description: 'Maximum number of results to return.' }),
);

/** The parameter for the state after a past block. */
export const atBlock = {
  at_block: Type.Optional(
    Type.String({
      maxLength: 80,
      description:
        'Height or hash (with `0x`) of a block. The response describes the state after this block instead of the state at the tip.',
    }),
  ),
  asOfAt: (text: string | undefined): AsOf => asOfIn(text === undefined ? {} : { until_block: text }),
};
