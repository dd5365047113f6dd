import { useEffect } from 'preact/hooks';
import { useApi } from '../../api/loaded.ts';
import { readAbi } from '../../contract/abi.ts';
import { navigate } from '../../router.ts';
import { LoadedView } from '../loaded-view.tsx';
import { NotFound } from '../not-found.tsx';
import { PageTitle } from '../page-title.tsx';
import { Section } from '../section.tsx';
import { Principal } from '../values/principal.tsx';
import { Untrusted } from '../values/untrusted.tsx';

/** The tokens of a contract, where an address names the contract alone; of one the page opens. */
export function TokensOfContract({ contract }: { contract: string }) {
  const loaded = useApi(contract.includes('.') ? '/extended/v1/contract/{contract_id}' : undefined, {
    contract_id: contract,
  });
  const tokens = loaded.state === 'ready' ? (readAbi(loaded.data.abi)?.tokens ?? []) : [];
  const [only] = tokens.length === 1 ? tokens : [];
  useEffect(() => {
    if (only !== undefined) navigate(pageOf(contract, only), { replace: true });
  }, [contract, only]);
  const missing = (
    <NotFound
      kind="Token"
      what={contract}
      hints={['A token is written ADDRESS.contract::name.', 'It may be on another network.']}
    />
  );
  if (!contract.includes('.')) return missing;
  return (
    <LoadedView of={loaded} missing={missing}>
      {() => (
        <>
          <PageTitle kind="Tokens of" title={contract.split('.')[1] ?? ''} />
          <Section title="Its tokens">
            <p>
              Contract <Principal of={contract} whole copy />
            </p>
            {tokens.length === 0 ? (
              <p class="empty">This contract defines no token.</p>
            ) : (
              <ul class="results">
                {tokens.map(token => (
                  <li key={token}>
                    <a href={pageOf(contract, token)}>
                      <Untrusted text={token} />
                    </a>
                  </li>
                ))}
              </ul>
            )}
          </Section>
        </>
      )}
    </LoadedView>
  );
}

const pageOf = (contract: string, token: string) => `/token/${encodeURIComponent(`${contract}::${token}`)}`;
