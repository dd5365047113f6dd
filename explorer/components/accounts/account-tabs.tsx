import { currentUrl } from '../../router.ts';
import { DeploymentList } from '../contracts/deployment-list.tsx';
import { OwnedNames } from '../names/owned-names.tsx';
import { Section } from '../section.tsx';
import { AccountStacking } from './account-stacking.tsx';
import { Collectibles } from './collectibles.tsx';
import { TokenBalances } from './token-balances.tsx';

const tabs = {
  activity: 'Activity',
  tokens: 'Tokens',
  collectibles: 'Collectibles',
  contracts: 'Contracts',
  stacking: 'Stacking',
  names: 'Names',
} as const;
type Tab = keyof typeof tabs;

const isTab = (text: string | null): text is Tab => text !== null && Object.hasOwn(tabs, text);

/** The part of an account that the address of the page names. */
export function shownTab(): Tab {
  const asked = currentUrl.value.query.get('tab');
  return isTab(asked) ? asked : 'activity';
}

/** The parts of an account, as links. */
export function AccountTabs({ shown }: { shown: Tab }) {
  const { path, query } = currentUrl.value;
  const hrefOf = (tab: string) => {
    const next = new URLSearchParams(query);
    next.set('tab', tab);
    return `${path}?${next}`;
  };
  return (
    <nav class="tabs" aria-label="Parts of the account">
      {Object.entries(tabs).map(([tab, title]) => (
        <a key={tab} href={hrefOf(tab)} aria-current={tab === shown ? 'true' : undefined}>
          {title}
        </a>
      ))}
    </nav>
  );
}

/** What an account has, other than its activity. */
export function AccountPart({ tab, principal }: { tab: Exclude<Tab, 'activity'>; principal: string }) {
  switch (tab) {
    case 'tokens':
      return (
        <Section title="Tokens">
          <TokenBalances principal={principal} />
        </Section>
      );
    case 'collectibles':
      return (
        <Section title="Collectibles">
          <Collectibles principal={principal} />
        </Section>
      );
    case 'contracts':
      return (
        <Section title="Contracts that it deployed">
          <DeploymentList
            parameters={{ from_address: principal, limit: 20 }}
            empty="This account has deployed no contract."
          />
        </Section>
      );
    case 'stacking':
      return <AccountStacking principal={principal} />;
    case 'names':
      return (
        <Section title="Names">
          <OwnedNames principal={principal} empty="This account owns no names." />
        </Section>
      );
  }
}
