import { expect, test } from 'vitest';
import { itemValue } from '../../explorer/tokens/item.ts';
import { withLockedSbtc } from '../../explorer/tokens/locked-sbtc.ts';
import { pictureOf } from '../../explorer/tokens/picture.ts';
import { pretends } from '../../explorer/tokens/symbol.ts';

const png = `data:image/png;base64,${Buffer.from('\x89PNG\r\n\x1a\n', 'latin1').toString('base64')}`;

test('a picture in the metadata is shown only if it is of a known type, begins as that, and is not large', () => {
  expect(pictureOf(png)).toBe(png);
  expect(pictureOf(png.replace('png', 'gif'))).toBeUndefined();
  expect(pictureOf('data:text/html,<script>hacked=1</script>')).toBeUndefined();
  expect(pictureOf('data:image/png,<svg onload=hacked=1>')).toBeUndefined();
  expect(pictureOf('javascript:hacked=1')).toBeUndefined();
  expect(pictureOf('https://pictures.example/1.png')).toBeUndefined();
  expect(pictureOf(`${png}${'A'.repeat(50_000_000)}`)).toBeUndefined();
});

test('the markup of an SVG stays one URI, whatever characters it has', () => {
  const svg = "<svg xmlns='http://www.w3.org/2000/svg'><path fill='#fff' width='50%'/></svg>";
  const uri = pictureOf(`data:image/svg+xml,${svg}`)!;
  expect(uri).toMatch(/^data:image\/svg\+xml,[\w.!~*'()%-]+$/);
  expect(decodeURIComponent(uri.slice(uri.indexOf(',') + 1))).toBe(svg);
  expect(pictureOf(uri)).toBe(uri);
});

test('a name that could be taken for STX is marked, other ones are not', () => {
  for (const name of ['STX', 'stx', ' Stx! ', 'ЅТХ']) expect([name, pretends(name)]).toEqual([name, true]);
  for (const name of ['', 'stone', 'stSTX', 'sBTC']) expect([name, pretends(name)]).toEqual([name, false]);
});

test('an item of a collection can be named by its number', () => {
  expect(itemValue('1')).toBe('0x0100000000000000000000000000000001');
  expect(itemValue('0x0c00')).toBe('0x0c00');
});

test('locked sBTC are shown with the token that they are, and not as a second one', () => {
  const asset = 'SM3VDXK3WZZSA84XXFKAFAF15NNZX32CTSG82JFQ4.sbtc-token::sbtc-token';
  const stone = { asset: 'SP000000000000000000002Q6VF78.stone::stone-locked', balance: '3' };
  const locked = { asset: `${asset}-locked`, balance: '7' };
  expect(withLockedSbtc([locked, stone, { asset, balance: '5' }])).toEqual([
    stone,
    { asset, balance: '5', locked: '7' },
  ]);
  expect(withLockedSbtc([locked])).toEqual([{ asset, balance: '0', locked: '7' }]);
  expect(
    withLockedSbtc([
      { ...locked, balance: '0' },
      { asset, balance: '5' },
    ]),
  ).toEqual([{ asset, balance: '5' }]);
});
