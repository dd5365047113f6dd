import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeDataUri } from '../../src/chain/tokens/data-uri.ts';
import { fillTokenUri, locateImage, locateToken } from '../../src/chain/tokens/token-uri.ts';

const gateways = { ipfs: 'https://gate.example', arweave: 'https://ar.example/base' };
const v0 = 'QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWaqVWs';
const v1 = 'bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi';
const locate = (uri: string) => locateToken(uri, gateways);
const urlOf = (uri: string) => {
  const location = locate(uri);
  return location.kind === 'web' ? location.url : location;
};
const text = (decoded: ReturnType<typeof decodeDataUri>) =>
  typeof decoded === 'string' ? decoded : Buffer.from(decoded.bytes).toString();

test('placeholders are replaced everywhere and in any case', () => {
  expect(fillTokenUri('https://a/{id}/{ID}-$token_id/{locale}.json', 7n)).toBe('https://a/7/7-7/.json');
  expect(fillTokenUri('{locale}/{id}', 2n ** 127n, 'es-MX')).toBe(`es-MX/${2n ** 127n}`);
  expect(fillTokenUri('https://a/$$TOKEN_ID', 1n, '$&')).toBe('https://a/$1');
});

test.each([
  [`ipfs://${v0}/1.json`, `https://gate.example/ipfs/${v0}/1.json`],
  [`IPFS://${v0}`, `https://gate.example/ipfs/${v0}`],
  [`ipfs://ipfs/${v1}/a b/ü.json`, `https://gate.example/ipfs/${v1}/a%20b/%C3%BC.json`],
  [`ipfs:${v1}`, `https://gate.example/ipfs/${v1}`],
  [`ipns://docs.ipfs.tech/a`, 'https://gate.example/ipns/docs.ipfs.tech/a'],
  [`ipfs://ipns/docs.ipfs.tech/a`, 'https://gate.example/ipns/docs.ipfs.tech/a'],
  ['ar://Abc_1-x/2.json', 'https://ar.example/base/Abc_1-x/2.json'],
  [`https://ipfs.io/ipfs/${v0}/1.json?x=1`, `https://gate.example/ipfs/${v0}/1.json`],
  [`http://gateway.pinata.cloud/ipfs/${v0}`, `https://gate.example/ipfs/${v0}`],
  [`https://${v1}.ipfs.dweb.link/2`, `https://gate.example/ipfs/${v1}/2`],
  [`https://example.org/ipfs/${v0}#x`, `https://example.org/ipfs/${v0}`],
  ['https://ipfs.io/other', 'https://ipfs.io/other'],
  ['  https://EXAMPLE.org/A?b={c}  ', 'https://example.org/A?b={c}'],
])('%s is fetched from %s', (uri, url) => {
  expect(urlOf(uri)).toBe(url);
});

test.each([
  ['', 'metadata_invalid'],
  [v0, 'metadata_invalid'],
  ['file:///etc/passwd', 'metadata_invalid'],
  ['javascript:alert(1)', 'metadata_invalid'],
  ['gopher://127.0.0.1', 'metadata_invalid'],
  ['https://', 'metadata_invalid'],
  ['ipfs://not-a-cid/1', 'metadata_invalid'],
  [`ipfs://${v0.toLowerCase()}/1`, 'metadata_invalid'],
  ['https://exa\nmple.org', 'metadata_invalid'],
  [`https://a/${'x'.repeat(5000)}`, 'metadata_invalid'],
  ['https://user:secret@example.org/', 'address_refused'],
  [`ipfs://${v0}/../../api/v0/pin`, 'address_refused'],
  [`ipfs://${v0}/%2e%2E/x`, 'address_refused'],
  [`ipfs://${v0}/a%2f..%2fb`, 'address_refused'],
])('%j is refused as %s', (uri, code) => {
  expect(locate(uri)).toMatchObject({ kind: 'refused', code });
});

test('a picture is a URL, or an image inside the URI within the bound', () => {
  expect(locateImage(`ipfs://${v0}/1.png`, gateways, 100)).toBe(`https://gate.example/ipfs/${v0}/1.png`);
  expect(locateImage('http://example.org/a.png', gateways, 100)).toBe('http://example.org/a.png');
  expect(locateImage('data:image/png;base64,AAAA', gateways, 100)).toBe('data:image/png;base64,AAAA');
  expect(locateImage(`data:image/png;base64,${'A'.repeat(100)}`, gateways, 100)).toBeUndefined();
  expect(locateImage('data:text/html,<script>', gateways, 100)).toBeUndefined();
  expect(locateImage('javascript:alert(1)', gateways, 100)).toBeUndefined();
});

test('data: URIs are decoded with base64, with percent signs and literally', () => {
  const base64 = Buffer.from('{"name":"ü"}').toString('base64');
  expect(text(decodeDataUri(`data:application/json;charset=utf-8;base64,${base64}`, 100))).toBe('{"name":"ü"}');
  expect(text(decodeDataUri('data:application/json,%7B%22name%22%3A%22%C3%BC%22}', 100))).toBe('{"name":"ü"}');
  expect(text(decodeDataUri('DATA:,{"name":"100%","a":"%zz%4"}', 100))).toBe('{"name":"100%","a":"%zz%4"}');
  expect(text(decodeDataUri('data:,%41', 100, true))).toBe('%41');
  expect(decodeDataUri('data:text/plain', 100)).toBe('not a data: URI');
  expect(decodeDataUri('data:;base64,a*b', 100)).toBe('wrong base64');
  expect(decodeDataUri(`data:,${'x'.repeat(101)}`, 100)).toBe('too large');
  expect(decodeDataUri(`data:;base64,${'A'.repeat(1000)}`, 100)).toBe('too large');
});

test('any text is located without an error, and only at web addresses', () => {
  const scheme = fc.constantFrom('', 'ipfs://', 'ipns://', 'ar://', 'https://', 'http://', 'data:', 'ipfs://ipfs/');
  const middle = fc.constantFrom('', v0, v1, 'ipfs.io/ipfs/', 'a@', '[::1]', '../', '%2e%2e/', '\t');
  fc.assert(
    fc.property(scheme, middle, fc.string({ unit: 'binary-ascii' }), fc.bigInt(0n, 2n ** 128n - 1n), (a, b, c, id) => {
      const location = locate(fillTokenUri(a + b + c, id));
      if (location.kind !== 'web') return;
      const { protocol, username, pathname, origin } = new URL(location.url);
      expect(protocol).toMatch(/^https?:$/);
      expect(username).toBe('');
      if (location.gateway === 'ipfs') {
        expect(origin).toBe(gateways.ipfs);
        expect(pathname).toMatch(/^\/ip[fn]s\/[^/]+/);
      }
      if (location.gateway === 'arweave') expect(location.url.startsWith(`${gateways.arweave}/`)).toBe(true);
    }),
  );
});

test('what is encoded as data: is decoded to the same bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), bytes => {
      const base64 = `data:x/y;base64,${Buffer.from(bytes).toString('base64')}`;
      const percent = `data:x/y,${[...bytes].map(byte => `%${byte.toString(16).padStart(2, '0')}`).join('')}`;
      for (const uri of [base64, percent]) {
        const decoded = decodeDataUri(uri, 300);
        expect(typeof decoded === 'object' && Buffer.from(decoded.bytes).equals(bytes)).toBe(true);
      }
    }),
  );
});
