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
    kind: is.choice('9.0', '9.3'),
    fallback: '9.0',
    about:
      'Incumbent release whose shapes the older routes of `/extended/v3` use. The request header `X-API-Version` selects another one.',
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
} as const;
