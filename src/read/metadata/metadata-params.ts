import { Type } from 'typebox';
import { contractShape } from '../principals/principal-pattern.ts';

export const TokenContractParam = Type.String({ pattern: `^${contractShape}$`, description: 'A contract identifier.' });

/** A token number; text, because numbers of 128 bits do not fit a JSON number of every client. */
export const TokenNumberParam = Type.String({ pattern: '^[0-9]{1,39}$', description: 'Number of the token.' });

export const LocaleParam = Type.Optional(
  Type.String({
    maxLength: 64,
    description: 'Locale of the metadata, such as `es-MX`; the default is that of the token.',
  }),
);

/** The parameter that adds name, symbol and decimals beside the assets of a response. */
export const assetMetadataQuery = {
  metadata: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'Whether to add `metadata` (name, symbol and decimals) beside each token that is known.',
    }),
  ),
};

export const WantedToken = Type.String({ pattern: `^${contractShape}(:[0-9]{1,39})?$` });

/** The two paths of a route, with and without the version. Only the first is in the document. */
export const bothPaths = (path: string) =>
  [
    { url: `/metadata/v1${path}`, hide: false },
    { url: `/metadata${path}`, hide: true },
  ] as const;
