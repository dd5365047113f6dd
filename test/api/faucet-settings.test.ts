import { parseNetwork } from '@cairn-stacks/codec/network';
import { expect, test } from 'vitest';
import { type DevnetFaucet, type FaucetOptions, openFaucets } from '../../src/app/faucets.ts';
import { readConfig } from '../../src/config/config.ts';
import type { Environment } from '../../src/config/setting.ts';

const key = `${'11'.repeat(32)}01`;
const sbtcContract = 'ST1F7QA2MDF17S807EPA36TSS8AMEFY4KA9TVGWXT.sbtc-token';
const devnet: DevnetFaucet = { privateKey: key, sbtcContract };

/** The faucets that are open with some settings, and the warnings. */
function open(
  env: Environment,
  { network = 'testnet', nodes = 1, ...more }: { network?: string; nodes?: number; devnet?: DevnetFaucet } = {},
) {
  const warnings: string[] = [];
  const { config } = readConfig(env);
  const faucets = openFaucets({
    config,
    network: parseNetwork(network)!,
    nodes: { pool: { nodes: Array.from({ length: nodes }) } },
    log: { warn: (line: string) => void warnings.push(line) },
    chain: {},
    ...more,
  } as unknown as FaucetOptions);
  return { open: Object.keys(faucets).sort(), warnings };
}

test('without a key no faucet is open on a test network', () => {
  expect(open({})).toEqual({ open: [], warnings: [] });
});

test.each([['CAIRN_STX_FAUCET_KEYS'], ['FAUCET_PRIVATE_KEY']])(
  'a key in %s opens the faucets of a test network',
  name => {
    expect(open({ [name]: key })).toEqual({ open: ['sbtc', 'stx'], warnings: [] });
    expect(open({ [name]: key, CAIRN_SBTC_FAUCET: 'off' })).toEqual({ open: ['stx'], warnings: [] });
  },
);

test('a key that has no effect is a warning that says why', () => {
  expect(open({ FAUCET_PRIVATE_KEY: key, TESTNET_STX_FAUCET_ENABLED: 'false', CAIRN_SBTC_FAUCET: 'off' })).toEqual({
    open: [],
    warnings: [expect.stringContaining('the faucet keys have no effect: CAIRN_STX_FAUCET')],
  });
  expect(open({ FAUCET_PRIVATE_KEY: key }, { network: 'mainnet' })).toEqual({
    open: [],
    warnings: [expect.stringContaining('none is available on mainnet, and its keys have no effect')],
  });
  expect(open({ FAUCET_PRIVATE_KEY: key }, { nodes: 0 }).warnings).toEqual([expect.stringContaining('CAIRN_NODES')]);
});

test('the devnet opens the faucets with an account of its own, unless a setting closes them', () => {
  expect(open({}, { devnet })).toEqual({ open: ['sbtc', 'stx'], warnings: [] });
  const other = { CAIRN_SBTC_FAUCET_CONTRACT: 'ST3PDQA0PMRJ100XR0P2F8RV16M73ZJX10EG0H64F.stone' };
  expect(open(other, { devnet }).open).toEqual(['stx']);
  expect(open({ CAIRN_STX_FAUCET: 'off', CAIRN_SBTC_FAUCET: 'off' }, { devnet })).toEqual({ open: [], warnings: [] });
});

test('a faucet that is turned on without a key prevents the start', () => {
  expect(() => open({ CAIRN_STX_FAUCET: 'on' })).toThrow('a faucet needs CAIRN_STX_FAUCET_KEYS');
});
