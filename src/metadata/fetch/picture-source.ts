import { pictureTypeOf } from '../../chain/tokens/picture-type.ts';
import { locateToken } from '../../chain/tokens/token-uri.ts';
import type { Config } from '../../config/config.ts';
import type { NameResolver } from '../../outbound/guarded-connector.ts';
import { FetchError, failureOf, invalid } from './fetch-error.ts';
import { HostLimits } from './host-limits.ts';
import { gatewaysOf, type MetadataFetchConfig, openWebDocuments } from './web-settings.ts';

export type PictureConfig = MetadataFetchConfig & Pick<Config, 'metadataPictureBytes' | 'metadataFetches'>;

/** A picture, with the media type that its bytes have. */
export type Picture = { type: string; bytes: Buffer };

/** A picture, or why there is none. */
export type PictureSource = (uri: string, signal: AbortSignal) => Promise<Picture | { problem: string }>;

/** Pictures seldom change; a browser keeps them for as long. */
const REUSE_MS = 3_600_000;
/** All pictures together wait for the same places. */
const ALL = 'pictures';

const NO_PICTURE =
  /^(?:text\/(?:html|css)|application\/(?:xhtml\+xml|json|pdf|zip|wasm)|(?:video|audio|font|model)\/)/i;

const problemOf = (type: string | undefined) =>
  NO_PICTURE.test((type ?? '').trim()) ? 'the URI leads to content that is not a picture' : undefined;

/** Opens the source of pictures that the metadata of tokens name; `data:` URIs are left to browsers. */
export function openPictures(
  config: PictureConfig,
  resolve?: NameResolver,
): PictureSource & { close(): Promise<void> } {
  const gateways = gatewaysOf(config);
  const documents = openWebDocuments(config, {
    maxBytes: config.metadataPictureBytes,
    reuseMs: REUSE_MS,
    content: { accept: 'image/avif, image/webp, image/png, image/*;q=0.8, */*;q=0.1', problemOf },
    resolve,
  });
  // Bounds the memory for pictures that are being fetched, however many hosts they are from.
  const places = new HostLimits(config.metadataFetches);

  const read = async (uri: string, signal: AbortSignal): Promise<Picture> => {
    const location = locateToken(uri, gateways);
    if (location.kind === 'refused') throw new FetchError({ code: location.code, message: location.reason });
    if (location.kind === 'data') throw invalid('the picture is in the URI itself');
    const leave = await places.enter(ALL, config.metadataTimeout * 1000);
    if (!leave) throw invalid('too many pictures are being fetched');
    try {
      const { bytes } = await documents.read(location, signal);
      const type = pictureTypeOf(bytes);
      if (type === undefined) throw invalid('the URI leads to content that is not a picture');
      return { type, bytes };
    } finally {
      leave();
    }
  };
  const source: PictureSource = async (uri, signal) => {
    try {
      return await read(uri, signal);
    } catch (error) {
      return { problem: failureOf(error).message };
    }
  };
  return Object.assign(source, { close: () => documents.close() });
}
