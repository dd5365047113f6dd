import { useCalled } from '../../api/called.ts';
import { shortenPrincipal } from '../../format/shorten.ts';
import { CopyButton } from './copy-button.tsx';
import { Untrusted } from './untrusted.tsx';

type Props = { of: string; whole?: boolean; copy?: boolean };

export const principalPage = (principal: string) =>
  principal.includes('.') ? `/contract/${principal}` : `/account/${principal}`;

/** An account or a contract, as a link to its page: by what it is called, if that is known. */
export function Principal({ of, whole = false, copy = false }: Props) {
  const called = useCalled(of);
  const text = called?.label ?? called?.name;
  return (
    <span class={whole || text || of.includes('.') ? 'hash' : 'hash short'}>
      <a href={principalPage(of)} title={text && called?.label ? `${of}, called so by this server` : of}>
        {whole || !text ? (
          <Untrusted text={whole ? of : shortenPrincipal(of)} />
        ) : (
          <CalledName label={called?.label} name={text} />
        )}
      </a>
      {whole && text && (
        <>
          {' '}
          <CalledName label={called?.label} name={text} />
        </>
      )}
      {copy && <CopyButton text={of} label={`Copy ${shortenPrincipal(of)}`} />}
    </span>
  );
}

/** A name anybody may register; a label is of the operator of this server, and looks different. */
export const CalledName = ({ label, name }: { label?: string | null | undefined; name: string }) => (
  <span class={label ? 'called label' : 'called'}>
    <Untrusted text={name} max={60} />
  </span>
);
