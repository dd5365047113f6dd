/** Codes of failures as the published service numbers them, with a name. */
export type MetadataErrorCode =
  | 'unknown'
  | 'metadata_too_large'
  | 'metadata_timeout'
  | 'metadata_invalid'
  | 'metadata_unreachable'
  | 'image_invalid'
  | 'contract_call_failed'
  | 'address_refused'
  | 'too_many_redirects';
/** SIP-016 metadata of one token in one locale. */
export type TokenMetadata = {
  name?: string;
  description?: string;
  /** As the JSON has it. */
  image?: string;
  /** Resolved through the gateways; undefined when it cannot be. */
  imageUrl?: string;
  attributes?: { trait_type: string; value: unknown; display_type?: string }[];
  properties?: Record<string, unknown>;
  localization?: { uri: string; default: string; locales: string[] };
  /** The parsed JSON as it was, for odd documents. */
  raw: unknown;
};
export type FetchedMetadata = {
  metadata: TokenMetadata;
  locales: Map<string, TokenMetadata> /** Not before this time is it fetched again, by Cache-Control. */;
  freshUntil?: Date;
};
export type FetchFailure = {
  code: MetadataErrorCode;
  message: string /** True when another try may succeed. */;
  transient: boolean;
  retryAfterMs?: number;
};
/** Fetches what a token URI names; never throws for what the outside sends. */
export type MetadataSource = (
  uri: string,
  tokenNumber: bigint,
  signal: AbortSignal,
) => Promise<FetchedMetadata | { failure: FetchFailure }>;
