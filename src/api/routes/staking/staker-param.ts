import { Type } from 'typebox';

/** An address, or a contract of it. */
export const principalPattern = '^[0-9A-HJKMNP-TV-Z]{28,41}(\\.[a-zA-Z][a-zA-Z0-9_-]{0,39})?$';

/** Only the shape is judged: an address with a wrong checksum is somebody who never acted. */
export const StakerParam = Type.String({
  pattern: principalPattern,
  description: 'An account address or a contract identifier.',
});
