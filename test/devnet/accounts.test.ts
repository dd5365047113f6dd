import {
  clarinetAccounts,
  faucetAccount,
  printedAccounts,
  readAccounts,
} from '@cairn-stacks/devnet/residents/user-accounts';
import { getAddressFromPrivateKey } from '@stacks/transactions';
import { expect, test } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { startSimulation } from '../support/simulation.ts';

/** The mnemonics that Clarinet writes into the settings of every new project. */
const mnemonics: Record<string, string> = {
  deployer:
    'twice kind fence tip hidden tilt action fragile skin nothing glory cousin green tomorrow spring wrist shed math olympic multiply hip blue scout claw',
  wallet_1:
    'sell invite acquire kitten bamboo drastic jelly vivid peace spawn twice guilt pave pen trash pretty park cube fragile unaware remain midnight betray rebuild',
  wallet_2:
    'hold excess usual excess ring elephant install account glad dry fragile donkey gaze humble truck breeze nation gasp vacuum limb head keep delay hospital',
  wallet_3:
    'cycle puppy glare enroll cost improve round trend wrist mushroom scorpion tower claim oppose clever elephant dinosaur eight problem before frozen dune wagon high',
  wallet_4:
    'board list obtain sugar hour worth raven scout denial thunder horse logic fury scorpion fold genuine phrase wealth news aim below celery when cabin',
  wallet_5:
    'hurry aunt blame peanut heavy update captain human rice crime juice adult scale device promote vast project quiz unit note reform update climb purchase',
  wallet_6:
    'area desk dutch sign gold cricket dawn toward giggle vibrant indoor bench warfare wagon number tiny universe sand talk dilemma pottery bone trap buddy',
  wallet_7:
    'prevent gallery kind limb income control noise together echo rival record wedding sense uncover school version force bleak nuclear include danger skirt enact arrow',
  wallet_8:
    'female adjust gallery certain visit token during great side clown fitness like hurt clip knife warm bench start reunion globe detail dream depend fortune',
  faucet:
    'shadow private easily thought say logic fault paddle word top book during ignore notable orange flight clock image wealth health outside kitten belt reform',
};

test('the accounts of Clarinet are the first ones of its mnemonics, derived as wallets do', async () => {
  expect(clarinetAccounts.map(({ name }) => name)).toEqual(Object.keys(mnemonics));
  for (const { name, address, privateKey } of clarinetAccounts) {
    const [first] = await readAccounts([mnemonics[name]!]);
    expect([name, first!.address, first!.privateKey]).toEqual([name, address, privateKey]);
  }
  // Addresses that Clarinet prints for its first two accounts.
  expect(clarinetAccounts[0]!.address).toBe('ST1PQHQKV0RJXZFY1DGX8MNSNYVE3VGZJSRTPGZGM');
  expect(clarinetAccounts[1]!.address).toBe('ST1SJ3DTE5DN7X54YDH5D64R3BCB6A2AG2ZQ8YPD5');
  expect(faucetAccount.name).toBe('faucet');
});

test('a mnemonic stands for ten accounts, and a key for one', async () => {
  const own = await readAccounts([mnemonics.wallet_1!, `${'22'.repeat(32)}01`]);
  expect(own).toHaveLength(11);
  expect(new Set(own.map(({ address }) => address)).size).toBe(11);
  for (const { address, privateKey } of own) expect(getAddressFromPrivateKey(privateKey, 'testnet')).toBe(address);
});

test('a mnemonic with a wrong word or checksum is refused', async () => {
  const words = mnemonics.deployer!.split(' ');
  await expect(readAccounts([words.with(0, 'stacks').join(' ')])).rejects.toThrow('not a BIP-39 mnemonic');
  await expect(readAccounts([words.with(0, 'kind').join(' ')])).rejects.toThrow('not a BIP-39 mnemonic');
  expect(() => readConfig({ CAIRN_DEVNET_ACCOUNTS: 'two words' })).toThrow('or a mnemonic of 12 to 24 words');
});

test('every account of the user has STX at genesis, those of the settings too', async t => {
  const accounts = await readAccounts([mnemonics.wallet_1!]);
  const { node, userAccounts } = await startSimulation(t, { accounts, firstBlocks: 0 });
  expect(userAccounts).toHaveLength(printedAccounts.length + clarinetAccounts.length + 10);
  for (const { address } of userAccounts) expect(node.state.spendable(address)).toBe(100_000_000_000_000n);
});
