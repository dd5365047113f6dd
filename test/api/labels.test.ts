import { expect, test } from 'vitest';
import { readLabels } from '../../src/app/labels.ts';
import { parseLabels } from '../../src/read/names/labels.ts';
import { testDevnet } from '../support/devnet.ts';
import { serveChain } from '../support/served-chain.ts';

const address = 'ST000000000000000000002AMW42H';

test('a file of labels is read, and nonsense is refused with what is wrong', () => {
  const read = parseLabels(JSON.stringify({ [address]: 'Boot', [`${address}.pox`]: '<b>PoX</b>' }));
  expect(read).toEqual({
    labels: new Map([
      [address, 'Boot'],
      [`${address}.pox`, '<b>PoX</b>'],
    ]),
  });
  const problems: [string, string][] = [
    ['', 'not JSON'],
    ['{"a":', 'not JSON'],
    ['["a"]', 'must be a JSON object'],
    ['null', 'must be a JSON object'],
    ['{"ST000000000000000000002AMW42Z":"x"}', 'neither an address nor a contract'],
    [`{"${'x'.repeat(1000)}":"x"}`, 'neither an address nor a contract'],
    [`{"${address}":5}`, 'must be a text'],
    [`{"${address}":" "}`, 'must be a text'],
    [`{"${address}":"${'x'.repeat(61)}"}`, 'more than 60 characters'],
    [`{"${address}":"a\\u202eb"}`, 'do not show'],
    [`{"${address}":"a\\u0000b"}`, 'do not show'],
    [JSON.stringify(Object.fromEntries(Array.from({ length: 100_001 }, (_, i) => [i, 'x']))), 'more than 100000'],
  ];
  for (const [text, problem] of problems)
    expect([text.slice(0, 50), parseLabels(text)]).toEqual([
      text.slice(0, 50),
      { problem: expect.stringContaining(problem) },
    ]);
});

test('a file that cannot be read ends the start with its name', () => {
  expect(() => readLabels({ labels: '/nowhere/labels.json' })).toThrow(
    'CAIRN_LABELS: /nowhere/labels.json cannot be used: it cannot be read (ENOENT)',
  );
  expect(readLabels({ labels: undefined })).toEqual(new Map());
});

test('principals are called by their label and their primary name, others are left out', async t => {
  const devnet = testDevnet();
  devnet.live(14);
  const { get, ask } = await serveChain(t, devnet.posted, { labels: new Map([[address, 'Boot <i>']]) });
  const [name] = await get('/v1/names');
  const { address: owner } = await get(`/v1/names/${name}`);
  const { primary_names } = await get(`/v1/names/${name}?names=true`);
  expect(primary_names[owner]).toEqual(expect.any(String));
  const nobody = 'STB44HYPYAT2BB2QE513NSP81HTMYWBJP02HPGK6';
  const { results } = await get(`/extended/v1/labels?principal=${owner},${address}&principal=${nobody}`);
  expect(results).toEqual([
    { principal: owner, label: null, name: primary_names[owner] },
    { principal: address, label: 'Boot <i>', name: null },
  ]);
  const many = Array.from({ length: 51 }, () => address).join(',');
  for (const wrong of ['', '?principal=nobody', `?principal=${many}`])
    expect([wrong, (await ask(`/extended/v1/labels${wrong}`)).status]).toEqual([wrong, 400]);
});
