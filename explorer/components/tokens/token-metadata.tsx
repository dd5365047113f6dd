import { useApi } from '../../api/loaded.ts';
import { formatCount } from '../../format/number.ts';
import { assetContract, assetName } from '../../format/shorten.ts';
import type { TokenFacts } from '../../tokens/token-facts.ts';
import { Facts } from '../facts.tsx';
import { Section } from '../section.tsx';
import { Principal } from '../values/principal.tsx';
import { Untrusted } from '../values/untrusted.tsx';
import { Picture } from './picture.tsx';

/** Some URIs hold the data themselves. */
const MAX_URI = 120;

/** What the contract of a token and its metadata say. */
export function TokenMetadataView({ asset, facts }: { asset: string; facts: TokenFacts }) {
  const contract = assetContract(asset);
  const known = Object.keys(facts).length > 0;
  const metadata = useApi(known ? '/metadata/v1/ft/{principal}' : undefined, { principal: contract });
  const more = metadata.state === 'ready' ? metadata.data : undefined;
  const text = (value: string | undefined, max = 1000) =>
    value !== undefined && value !== '' && <Untrusted text={value} max={max} />;
  return (
    <Section title="What its contract says">
      <Facts
        of={[
          ['Name', text(facts.name)],
          ['Symbol', text(facts.symbol)],
          ['Decimals', facts.decimals !== undefined && formatCount(facts.decimals)],
          ['Description', text(more?.description)],
          ['Details at', text(more?.token_uri, MAX_URI)],
          more?.image_uri !== undefined && [
            'Picture',
            <Picture key="picture" uri={more.image_uri} name={assetName(asset)} contract={contract} number={1n} />,
          ],
          ['Contract', <Principal key="contract" of={contract} whole copy />],
        ]}
      />
      {!known && (
        <p class="soft">Its contract names no decimals, or has not been read yet: amounts are in base units.</p>
      )}
    </Section>
  );
}
