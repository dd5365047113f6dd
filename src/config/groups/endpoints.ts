import * as is from '../setting.ts';
import { set } from '../setting.ts';

/** Which endpoints are served, and in which shapes. */
export const endpointsSettings = {
  deprecatedEndpoints: set({
    name: 'CAIRN_DEPRECATED_ENDPOINTS',
    kind: is.flag,
    fallback: 'true',
    aliases: ['ENABLE_DEPRECATED_ENDPOINTS'],
    about: 'Whether deprecated endpoints are served; if false they return 410.',
  }),
  compat: set({
    name: 'CAIRN_COMPAT',
    kind: is.choice('8', '9', '9.3'),
    fallback: '8',
    about:
      'Incumbent release that responses follow where releases differ: 8 (with `/extended/v3` as in 9.0), 9, or 9.3 with the fields added after 9.0. The request header `X-API-Version` selects another one.',
  }),
  rosetta: set({
    name: 'CAIRN_ROSETTA',
    kind: is.flag,
    fallback: 'true',
    aliases: ['STACKS_API_ENABLE_ROSETTA'],
    about: 'Whether the Rosetta (Mesh) API is served under `/rosetta/v1`.',
  }),
  rosettaCompat: set({
    name: 'CAIRN_ROSETTA_COMPAT',
    kind: is.flag,
    fallback: 'false',
    about: 'Whether Rosetta responses follow the incumbent where it differs from the Mesh specification.',
  }),
  rosettaBlockHash: set({
    name: 'CAIRN_ROSETTA_BLOCK_HASH',
    kind: is.choice('block_hash', 'index_block_hash'),
    fallback: 'block_hash',
    about:
      'Hash that identifies blocks in Rosetta responses. Requests may name either. With `CAIRN_ROSETTA_COMPAT` it is always `block_hash`.',
  }),
} as const;
