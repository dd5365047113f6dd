import { createHash } from 'node:crypto';

/** Checksum of what a migration executes: comments and blank lines do not count. */
export const checksumOf = (text: string): string => createHash('sha256').update(executedText(text)).digest('hex');

/** Literals, quoted names and bodies of functions, which are kept, or a comment. */
const TOKEN = /'(?:[^']|'')*'|"[^"]*"|\$(\w*)\$[\s\S]*?\$\1\$|--[^\n]*|\/\*[\s\S]*?\*\//g;

function executedText(text: string): string {
  const bare = text.replace(TOKEN, token => (/^(--|\/\*)/.test(token) ? '' : token));
  const lines = bare.split('\n').map(line => line.trimEnd());
  return lines.filter(line => line !== '').join('\n');
}

/** True if a database or a snapshot with this checksum has the migration as it is now. */
export const isChecksumOf = (migration: { name: string; checksum: string }, checksum: string): boolean =>
  checksum === migration.checksum || (WHOLE_TEXTS[migration.name]?.includes(checksum) ?? false);

/**
 * Checksums that released programs have stored when comments still counted; where there are two, only comments differ. The list
 * is complete: later migrations have no such checksum.
 */
const WHOLE_TEXTS: Record<string, readonly string[]> = {
  '0001-event-log.sql': ['7afc2418d2f94a5940c2b956eb8995f11d7e65931094cbd7267d84cc90546605'],
  '0002-fold.sql': ['821f53f91059c81c20624e73f3c301d854cdf489193451d3e68142c6cb97c498'],
  '0003-chain.sql': ['31cc45d0888d7470b77813dc4e21c930928c3ba5648dd6b7b6d385b5f666ff1c'],
  '0004-replay.sql': ['b6d563f1926dc4052b318acfb37d82d670d02c378468e6388683c522e644e4c3'],
  '0005-mempool.sql': [
    '4b96682629ca9635cb272afc06f1c3faeb587ee5b147cc24a7688aa344c78d24',
    'ed84583969a1a3c7d5dd14fbd2ca304c489cd29e7f513f5f8b5bcab2ae76357e',
  ],
  '0006-burn-chain.sql': ['6a2cb0de374378bd8cf281a889f058fef4a70cc31c5c08777a77d7e899efbf5c'],
  '0007-pox.sql': [
    '7b711670edd96bda626392f3037abe7ff60b1e2e00d32fab0e09538d40d46496',
    'a52c6b2e703e8be0b75e992f19a26a393bed3d511cffb0c2ecda6cf463c73293',
  ],
  '0008-audit.sql': ['f9329017477f4f81d206fdc47e2d917e845f63dc351c5747717d1e74617e07d5'],
  '0009-names.sql': [
    '6215141d0002c71c4fa1696e18b96479fb274f0396d52ad2695c1292027c2f44',
    'a36cc289026ee3096a632535df3fe1ca1d4749cad1616b3fa9e1eb6937144116',
  ],
  '0010-mempool-news.sql': ['286764ab451760c355535cd98d24c5049581299b569d4071502b87fa8be18605'],
  '0011-rosetta.sql': ['73f25e929d7f0cf912c9490b381618f4080c3c3fc439ece199a0681319e56268'],
  '0012-orphan-burn-blocks.sql': ['63261af7fc1257586190b421eb2144f70203222af63d958b9ce38101fbfd037f'],
  '0013-vesting.sql': ['0307341d2260bedd001db828c24a43f049adbfb966572038ae2e8a0111f33478'],
  '0014-failed-transactions.sql': ['c36fb0d45963d23874cd30e614904560fbb276d0000fc6e6606e08bb21f8234b'],
  '0015-side-transactions.sql': ['d63d91c189f96eaae64327563242fcbcf1fe93654645edfb3b51490816122dd3'],
  '0016-burn-view.sql': ['891e2d8620d64102744596e065324b6dbd5a5e86765e5e23d2faf0771e560b88'],
  '0017-incomplete-blocks.sql': ['c85791e602a3a11799c29945886f42ef24c7ce18a8cab61d2743231e17464d8d'],
  '0018-newer-nodes.sql': ['b94fbaf881123e78bcd4dd8130b70f89e3288f7dd320089cf03a5033f5d22676'],
  '0019-index-hash-mismatches.sql': ['c3afb02c56f34c8b67a445299a2d6f66461a6582ba573677dac0b37b9708d630'],
  '0020-lock-history.sql': ['2b48d5fa0ad0d474991109a2b770253bbfe5f6477e78f76ed892fa1c7dfa10f4'],
  '0021-prune-runs.sql': ['bd2531caa2fa03ea2bb13d223fda6d407665663527f9b3bb98c7e8c9874501ae'],
  '0022-third-version.sql': ['0af1ae7f03a67f7dd22502e2e851feee7b64b0647d2723d23529ea0218edf749'],
  '0023-staking-events.sql': ['ae82bcac7436aaf4128dbf073c67905f2cfc63c7bccec4c8b596f48dd63753d8'],
  '0024-journal-rollbacks.sql': ['a03c6ad5ba7e8b02e231ec31c148ddbcc88b6a86281958b5af3649b8786e8751'],
  '0025-token-metadata.sql': ['957e1a0933bfb5a47416d057367cc53589dc0ad1d6dd1c26d23d2fd54bdbef20'],
  '0026-signer-metrics.sql': ['472343d5ce4f64de99259fe66f78471e0707f932d52bb8e047efe23314ce4b48'],
  '0027-mempool-samples.sql': ['1abbe32eeb48d0700764467383f5d6bef1c9966a46ba4912891402c1c9674714'],
  '0028-api-keys.sql': ['42f12d93247dc0a95e3564efb09fd3d80c29c8edfd29aaa17d75a4a20ac195b9'],
  '0029-token-transfers.sql': ['89cd6969ff06f4ecd107ec4fcd86a05264b55c7aefffbd8f23c05505fd9b157c'],
  '0030-nft-holders.sql': ['d4f3be4e3c809274303736f6c48dbfc9ded2793ef8a3ca6083bd2758db85325b'],
};
