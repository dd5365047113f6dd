import * as incumbent from '../incumbent-settings.ts';
import * as is from '../setting.ts';
import { optional, set } from '../setting.ts';

/** Faucets of test networks. */
export const faucetsSettings = {
  stxFaucet: optional({
    name: 'CAIRN_STX_FAUCET',
    kind: is.flag,
    unset: 'on where a faucet has a key',
    aliases: ['TESTNET_STX_FAUCET_ENABLED'],
    about:
      'Whether `POST /extended/v1/faucets/stx` sends STX; only on test networks, through the nodes of `CAIRN_NODES`. Unset, it is on with `CAIRN_STX_FAUCET_KEYS` and on the simulated devnet.',
  }),
  stxFaucetKeys: set({
    name: 'CAIRN_STX_FAUCET_KEYS',
    kind: is.list(is.privateKey),
    fallback: '',
    aliases: ['FAUCET_PRIVATE_KEY'],
    secret: true,
    about:
      'Comma-separated private keys of the accounts that pay STX and sBTC; when one account is empty, the next one pays. The simulated devnet has an account of its own for this.',
  }),
  sbtcFaucet: optional({
    name: 'CAIRN_SBTC_FAUCET',
    kind: is.flag,
    unset: 'on where a faucet has a key',
    aliases: ['TESTNET_SBTC_FAUCET_ENABLED'],
    about:
      'Whether `POST /extended/v1/faucets/sbtc` sends sBTC; only on test networks. Unset, it is on with `CAIRN_STX_FAUCET_KEYS`, and on the simulated devnet if that has `CAIRN_SBTC_FAUCET_CONTRACT`.',
  }),
  sbtcFaucetContract: set({
    name: 'CAIRN_SBTC_FAUCET_CONTRACT',
    kind: is.contract,
    fallback: 'ST1F7QA2MDF17S807EPA36TSS8AMEFY4KA9TVGWXT.sbtc-token',
    aliases: [incumbent.sbtcAsset],
    about: 'Contract of the token that the sBTC faucet transfers.',
  }),
  sbtcFaucetAmount: set({
    name: 'CAIRN_SBTC_FAUCET_AMOUNT',
    kind: is.integer('a number of sats, at least 1', 1, 2_100_000_000_000_000),
    fallback: '10000',
    aliases: ['TESTNET_SBTC_FAUCET_AMOUNT'],
    about: 'Amount in sats that the sBTC faucet sends.',
  }),
  btcFaucet: set({
    name: 'CAIRN_BTC_FAUCET',
    kind: is.flag,
    fallback: 'false',
    aliases: ['TESTNET_BTC_FAUCET_ENABLED'],
    about:
      'Whether `POST /extended/v1/faucets/btc` sends bitcoin from the wallet behind `CAIRN_BITCOIN_RPC`; only on test networks.',
  }),
  bitcoinRpc: optional({
    name: 'CAIRN_BITCOIN_RPC',
    kind: is.url('http', 'https'),
    unset: 'none',
    aliases: [incumbent.bitcoinParts],
    secret: true,
    about:
      'RPC URL of the Bitcoin node of the faucet, such as `http://user:password@127.0.0.1:18443`, with `/wallet/NAME` if it has several wallets.',
  }),
} as const;
