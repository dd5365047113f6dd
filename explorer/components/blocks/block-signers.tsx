import { useApi } from '../../api/loaded.ts';
import type { BlockProposal } from '../../api/schema.ts';
import { counted, formatCount } from '../../format/number.ts';
import { Empty, Pending } from '../message.tsx';
import { type Column, RowTable } from '../row-table.tsx';
import { Hash } from '../values/hash.tsx';

/** Percent of the weight that approves a block (SIP-021). */
const THRESHOLD = 70;

type Vote = BlockProposal['signer_data'][number];

const answers: Readonly<Record<string, { word: string; tone: string }>> = {
  accepted: { word: 'Approved', tone: 'good' },
  rejected: { word: 'Rejected', tone: 'bad' },
  missing: { word: 'No answer', tone: 'off' },
};

const columns: readonly Column<Vote>[] = [
  { title: 'Signer', cell: vote => <Hash value={vote.signer_key} href={`/signer/${vote.signer_key}`} copy /> },
  {
    title: 'Answer',
    cell: vote => <span class={`badge ${answers[vote.response]?.tone}`}>{answers[vote.response]?.word}</span>,
  },
  {
    title: 'Weight',
    number: true,
    cell: vote => `${formatCount(vote.weight)} · ${vote.weight_percentage.toFixed(1)} %`,
  },
  {
    title: 'Answered after',
    number: true,
    cell: vote => (vote.response_time_ms === null ? '–' : `${formatCount(vote.response_time_ms)} ms`),
  },
];

/** Who signed a block, by weight. Without messages of signers only the number of signatures is known. */
export function BlockSigners({ hash, height }: { hash: string; height: number }) {
  // The list says whether anything is known of the block; asking for the proposal alone would be an error in the console.
  const known = useApi('/signer-metrics/v1/blocks/{height_or_hash}', { height_or_hash: height });
  const isKnown = known.state === 'ready' && known.data.signer_data !== null && known.data.block_hash === hash;
  const proposal = useApi(isKnown ? '/signer-metrics/v1/block_proposals/{block_hash}' : undefined, {
    block_hash: hash,
  });
  const signatures = useApi('/extended/v2/blocks/{height_or_hash}/signer-signatures', {
    height_or_hash: hash,
    limit: 1,
  });
  if (known.state === 'loading' || (isKnown && proposal.state === 'loading')) return <Pending />;
  if (proposal.state === 'ready') return <Votes of={proposal.data} />;
  const total = signatures.state === 'ready' ? signatures.data.total : 0;
  return (
    <Empty>
      {total > 0
        ? `${counted(total, 'signer')} signed it. Which ones is not known: this server received no messages of signers about it.`
        : 'No signatures are known.'}
    </Empty>
  );
}

function Votes({ of }: { of: BlockProposal }) {
  const share = (weight: number) => (of.total_signer_weight > 0 ? (weight / of.total_signer_weight) * 100 : 0);
  const parts = [
    { key: 'accepted', label: 'approved', weight: of.accepted_weight },
    { key: 'rejected', label: 'rejected', weight: of.rejected_weight },
    { key: 'missing', label: 'did not answer', weight: of.missing_weight },
  ];
  const text = parts.map(({ label, weight }) => `${share(weight).toFixed(1)} % of the weight ${label}`).join(', ');
  const votes = [...of.signer_data].sort((a, b) => b.weight - a.weight);
  return (
    <>
      <p>
        {text}. A block needs {THRESHOLD} % to be approved.
      </p>
      <div class="votes" role="img" aria-label={text}>
        {parts.map(({ key, weight }) => (
          <span key={key} class={`vote-${key}`} style={{ width: `${share(weight)}%` }} />
        ))}
        <span class="threshold" style={{ left: `${THRESHOLD}%` }} />
      </div>
      <RowTable of={votes} caption="Signers by weight" columns={columns} keyOf={vote => vote.signer_key} />
    </>
  );
}
