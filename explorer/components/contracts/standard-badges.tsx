import type { AbiFunction } from '@cairn-stacks/codec/clarity/abi';
import { standardsOf } from '../../contract/standards.ts';

/** The standards that a contract follows by its interface. */
export const StandardBadges = ({ functions }: { functions: readonly AbiFunction[] }) => (
  <>
    {standardsOf(functions).map(({ name, meaning }) => (
      <span key={name} class="badge off" title={`It has the functions of ${name}: ${meaning}`}>
        {name}
      </span>
    ))}
  </>
);
