import { Type } from 'typebox';
import type { AsOf } from '../../queries/pages/as-of.ts';
import { asOfIn } from './as-of.ts';

/** A name with its namespace; look-alikes of other scripts are refused before they are looked for. */
export const NameParam = Type.String({
  pattern: '^[\\x21-\\x2d\\x2f-\\x7e]{1,48}\\.[\\x21-\\x2d\\x2f-\\x7e]{1,20}$',
  description: 'A name with its namespace, in ASCII.',
});

/** A namespace alone. */
export const LabelParam = Type.String({ pattern: '^[\\x21-\\x2d\\x2f-\\x7e]{1,20}$', description: 'A namespace.' });

export const nameLimit = Type.Optional(
  Type.Integer({ minimum: 1, maximum: 200, default: 50, description: 'Rows of a page.' }),
);

/** The parameter that moves an answer into the past. */
export const atBlock = {
  at_block: Type.Optional(
    Type.String({ maxLength: 80, description: 'Height or hash (with 0x) of a block: the state after it.' }),
  ),
  asOfAt: (text: string | undefined): AsOf => asOfIn(text === undefined ? {} : { until_block: text }),
};
