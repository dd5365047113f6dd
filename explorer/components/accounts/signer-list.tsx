import type { PoxSigner } from '../../api/schema.ts';
import { counted } from '../../format/number.ts';
import { MoreList, nextByOffset } from '../more-list.tsx';
import { Stx } from '../values/amount.tsx';
import { Hash } from '../values/hash.tsx';
import { Principal } from '../values/principal.tsx';

/** Who stacks with a signer; 0 where the contract of the cycle does not tell. */
const stackersOf = (signer: PoxSigner) => signer.solo_stacker_count + signer.pooled_stacker_count;

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
              <span class="stack">
                <Principal of={signer.signer_address} />
                <span class="soft">
                  key <Hash value={signer.signing_key} href={`/signer/${signer.signing_key}?cycle=${cycle}`} copy />
                </span>
              </span>
              <span class="number">
                <Stx micro={signer.stacked_amount} />
              </span>
              <span class="meter" aria-hidden="true">
                <span style={{ width: `${signer.weight_percent}%` }} />
              </span>
              <span class="number soft">
                {signer.weight_percent.toFixed(1)} %
                {stackersOf(signer) > 0 && ` · ${counted(stackersOf(signer), 'stacker')}`}
              </span>
            </li>
          ))}
        </ol>
      )}
    </MoreList>
  );
}
