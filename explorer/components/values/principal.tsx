import { shortenPrincipal } from '../../format/shorten.ts';
import { CopyButton } from './copy-button.tsx';
import { Untrusted } from './untrusted.tsx';

type Props = { of: string; whole?: boolean; copy?: boolean };

export const principalPage = (principal: string) =>
  principal.includes('.') ? `/contract/${principal}` : `/account/${principal}`;

/** An account or a contract, as a link to its page. */
export function Principal({ of, whole = false, copy = false }: Props) {
  return (
    <span class={whole || of.includes('.') ? 'hash' : 'hash short'}>
      <a href={principalPage(of)} title={of}>
        <Untrusted text={whole ? of : shortenPrincipal(of)} />
      </a>
      {copy && <CopyButton text={of} label={`Copy ${shortenPrincipal(of)}`} />}
    </span>
  );
}
