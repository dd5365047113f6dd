import { DeploymentList } from '../components/contracts/deployment-list.tsx';
import { PageTitle } from '../components/page-title.tsx';
import { Section } from '../components/section.tsx';

export function Page() {
  return (
    <>
      <PageTitle title="Contracts" />
      <p class="lead">
        Programs that were put on the chain, newest first. Each page shows the source and what it offers.
      </p>
      <Section title="Deployed contracts" aside={<a href="/tokens">Tokens</a>}>
        <DeploymentList empty="No contract was deployed yet." />
      </Section>
    </>
  );
}
