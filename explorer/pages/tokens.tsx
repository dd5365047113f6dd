import type { FungibleTokenBasicMetadata } from '../api/schema.ts';
import { MoreList, nextByOffset } from '../components/more-list.tsx';
import { PageTitle } from '../components/page-title.tsx';
import { type Column, RowTable } from '../components/row-table.tsx';
import { Section } from '../components/section.tsx';
import { Principal } from '../components/values/principal.tsx';
import { Untrusted } from '../components/values/untrusted.tsx';
import { formatUnits } from '../format/amount.ts';
import { counted } from '../format/number.ts';
import { assetName } from '../format/shorten.ts';
import { chainRevision } from '../live/feed.ts';
import { pretends, safeSymbol } from '../tokens/symbol.ts';

const isPretending = (token: FungibleTokenBasicMetadata) =>
  [token.name ?? '', token.symbol ?? '', assetName(token.asset_identifier)].some(pretends);

const columns: readonly Column<FungibleTokenBasicMetadata>[] = [
  {
    title: 'Token',
    cell: token => (
      <span class="stack">
        <a href={`/token/${encodeURIComponent(token.asset_identifier)}`}>
          <Untrusted text={safeSymbol(token.symbol, token.asset_identifier)} max={40} />
        </a>
        {isPretending(token) ? (
          <span class="badge caution" title="Its name or symbol could be taken for another one">
            pretends to be another token
          </span>
        ) : (
          <span class="soft">
            <Untrusted text={token.name ?? assetName(token.asset_identifier)} max={60} />
          </span>
        )}
      </span>
    ),
  },
  {
    title: 'Supply',
    number: true,
    side: true,
    cell: ({ total_supply, decimals = 0 }) =>
      total_supply === undefined ? '–' : formatUnits(BigInt(total_supply), decimals),
  },
  { title: 'Contract', minor: true, cell: token => <Principal of={token.contract_principal} /> },
];

export function Page() {
  return (
    <>
      <PageTitle title="Tokens" />
      <p class="lead">
        Fungible tokens whose contracts say their names. Anybody can give a token any name: the contract tells which one
        it is. Non-fungible tokens are on the page of <a href="/collections">collections</a>.
      </p>
      <MoreList
        path="/metadata/v1/ft"
        parameters={{ limit: 40 }}
        revision={chainRevision}
        next={nextByOffset}
        empty="No token has said its name yet."
      >
        {(tokens, first) => (
          <Section title={counted(first.total, 'token')} aside={<a href="/contracts">Contracts</a>}>
            <RowTable of={tokens} caption="Fungible tokens" columns={columns} keyOf={token => token.asset_identifier} />
          </Section>
        )}
      </MoreList>
    </>
  );
}
