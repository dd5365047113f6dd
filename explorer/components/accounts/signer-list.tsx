import { counted } from '../../format/number.ts';
import { MoreList, nextByOffset } from '../more-list.tsx';
import { Stx } from '../values/amount.tsx';
import { Hash } from '../values/hash.tsx';

/** The signers of a cycle by their weight in approving blocks. */
export function SignerList({ cycle }: { cycle: number }) {
  return (
    <MoreList
      path="/extended/v2/pox/cycles/{cycle_number}/signers"
      parameters={{ cycle_number: cycle, limit: 20 }}
      next={nextByOffset}
      empty="No signers of this cycle are known."
    >
      {signers => (
        <ol class="holders">
          {signers.map(signer => (
            <li key={signer.signing_key}>
              <Hash value={signer.signing_key} copy />
              <span class="number">
                <Stx micro={signer.stacked_amount} />
              </span>
              <span class="meter" aria-hidden="true">
                <span style={{ width: `${signer.weight_percent}%` }} />
              </span>
              <span class="number soft">
                {signer.weight_percent.toFixed(1)} % ·{' '}
                {counted(signer.solo_stacker_count + signer.pooled_stacker_count, 'stacker')}
              </span>
            </li>
          ))}
        </ol>
      )}
    </MoreList>
  );
}
