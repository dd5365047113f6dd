import { pictureOf } from '../../tokens/picture.ts';
import { Untrusted } from '../values/untrusted.tsx';

/** A URI that is not shown as a picture is cut here. */
const MAX_URI = 120;

/**
 * The picture of a token where it is in the metadata itself. As a picture it runs no script and loads nothing. Pictures of other
 * servers are named, not loaded: they would tell those servers who looks.
 */
export function Picture({ uri, name }: { uri: string | undefined; name: string }) {
  if (uri === undefined || uri === '') return null;
  const picture = pictureOf(uri);
  if (picture === undefined) return <Untrusted text={uri} max={MAX_URI} />;
  return <img class="picture" src={picture} alt={name} width={96} height={96} />;
}
