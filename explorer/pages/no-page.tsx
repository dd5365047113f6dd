import { PageTitle } from '../components/page-title.tsx';
import { Untrusted } from '../components/values/untrusted.tsx';

export function NoPage({ path }: { path: string }) {
  return (
    <>
      <PageTitle title="No such page" />
      <p>
        <Untrusted text={path} max={200} /> is not an address of the explorer. Search above, or go <a href="/">home</a>.
      </p>
    </>
  );
}
