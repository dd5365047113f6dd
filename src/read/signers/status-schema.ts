import { Type } from 'typebox';

export const SignerMetricsStatus = Type.Object(
  {
    server_version: Type.String({ description: 'Name and version of the service.' }),
    status: Type.Literal('ready', { description: 'Always `ready`.' }),
    chain_tip: Type.Object({
      block_height: Type.Integer({ description: 'Height of the tip; 0 before the first block.' }),
      index_block_hash: Type.String({ description: 'Index block hash of the tip; `0x` before the first block.' }),
    }),
  },
  { title: 'SignerMetricsStatus' },
);
