import { principalOf, printedFields, textOf, uintOf } from '../print-fields.ts';

/** The text that the print of every mint of a semi-fungible token contains. */
export const sftMintMarker = 'sft_mint';

/** The token number of a mint that a SIP-013 contract printed; undefined if the print is not a mint. */
export function readSftMint(value: Uint8Array): bigint | undefined {
  const fields = printedFields(value);
  if (textOf(fields?.get('type')) !== sftMintMarker) return undefined;
  const isUint = (name: string) => fields?.get(name)?.type === 'uint';
  if (!isUint('token-id') || !isUint('amount') || principalOf(fields?.get('recipient')) === undefined) return undefined;
  return uintOf(fields?.get('token-id'));
}
