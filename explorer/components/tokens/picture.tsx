import { useState } from 'preact/hooks';
import { hasFetchedPictures } from '../../api/pictures.ts';
import { pictureOf } from '../../tokens/picture.ts';
import { Untrusted } from '../values/untrusted.tsx';

/** A URI that is not shown as a picture is cut here. */
const MAX_URI = 120;

type Props = {
  uri: string | undefined;
  name: string;
  /** The contract of the token and its number, by which this server fetches the picture. */
  contract: string;
  number: bigint;
  /** Instead of the URI where there is no picture. */
  instead?: string;
};

/**
 * The picture of a token. As a picture it runs no script and loads nothing. One that is on another server comes from this one,
 * if it fetches them, and is named otherwise: the other server would see who looks.
 */
export function Picture({ uri, name, contract, number, instead }: Props) {
  const [failed, setFailed] = useState<string | undefined>(undefined);
  const own = uri === undefined ? undefined : pictureOf(uri);
  const isElsewhere = uri !== undefined && uri !== '' && own === undefined && !/^(data|javascript):/i.test(uri);
  const source = own ?? (isElsewhere && hasFetchedPictures() ? `/pictures/${contract}/${number}` : undefined);
  if (source === undefined || failed === source) {
    if (instead !== undefined)
      return (
        <span class="picture none" aria-hidden="true">
          {instead}
        </span>
      );
    return uri === undefined || uri === '' ? null : <Untrusted text={uri} max={MAX_URI} />;
  }
  return (
    <img
      class="picture"
      src={source}
      alt={name}
      width={96}
      height={96}
      loading="lazy"
      decoding="async"
      onError={() => setFailed(source)}
    />
  );
}
