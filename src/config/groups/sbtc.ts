import * as is from '../setting.ts';
import { optional, set } from '../setting.ts';

/** Who is asked about the Bitcoin side of sBTC. */
export const sbtcSettings = {
  emilyUrl: optional({
    name: 'CAIRN_EMILY_URL',
    kind: is.service,
    unset: 'nobody is asked',
    secret: true,
    about:
      'Emily, the service of the sBTC signers, such as `https://sbtc-emily.com`: it tells fees and locks that depositors have agreed to.',
  }),
  emilyAllowPrivate: set({
    name: 'CAIRN_EMILY_ALLOW_PRIVATE',
    kind: is.list(is.subnet),
    fallback: '',
    about: 'Comma-separated networks that are not public and may be connected to as Emily, such as that of an own one.',
  }),
  sbtcBitcoinRpc: optional({
    name: 'CAIRN_SBTC_BITCOIN_RPC',
    kind: is.service,
    unset: 'nobody is asked',
    secret: true,
    about:
      'RPC of a Bitcoin node, such as `http://USER:PASSWORD@127.0.0.1:8332`: it has the outputs of deposits and withdrawals. Deposits need its `txindex`.',
  }),
} as const;
