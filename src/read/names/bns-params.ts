import { Type } from 'typebox';

/** A name or a subdomain in the paths of the name service. */
export const BnsNameParam = Type.String({
  description: 'A name with its namespace, such as `muneeb.btc`, or a subdomain.',
});

const unanchored = Type.Optional(
  Type.Boolean({ default: false, description: 'Whether to include microblocks that no block has confirmed yet.' }),
);
const page = Type.Optional(
  Type.Integer({
    minimum: 0,
    maximum: 20_000_000,
    default: 0,
    description: 'Number of the page, counted from 0. A page has 100 names.',
  }),
);

export const bnsQuery = Type.Object({ unanchored });
export const bnsPageQuery = Type.Object({ unanchored, page });

/** Whether a text is printable ASCII without spaces; no other text names anything. */
export const isPrintable = (text: string) => /^[\x21-\x7e]+$/.test(text);
