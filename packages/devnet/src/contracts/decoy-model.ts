import { fungibleToken } from './fungible-model.ts';

/**
 * Metadata that a careless program would execute, or show as something else: a script, a right-to-left override, a
 * zero-width space, and STX in Cyrillic letters.
 */
const uri = `data:application/json,${JSON.stringify({
  ...{ sip: 16, name: '\u0405\u0422\u0425' },
  description: '\u0405\u0422\u0425 <script>hacked=1</script> \u202eXTS\u200b!',
  image: 'javascript:hacked=1',
})}`;

/** A token that pretends to be STX, as tokens of strangers on a real chain may. */
export const decoyModel = fungibleToken({
  ...{ contract: 'decoy', asset: 'stx', symbol: 'STX', decimals: 6, uri },
  // SIP-010 allows 32 ASCII characters.
  name: '<img src=x onerror=hacked=1>',
  about: 'Decoy: a token by SIP-010 that pretends to be STX. Anybody may mint a little.',
});
