import { type ClarityValue, decodeClarity } from '@cairn-stacks/codec/clarity/value';
import type { Transaction } from '@cairn-stacks/codec/transaction/transaction';

/** Where @stacks/transactions does not give back the bytes that it read, and why. */
export function stacksChangesTransaction({ payload, postConditions }: Transaction): boolean {
  // It keeps no microblock headers.
  if (payload.type === 'poison_microblock') return true;
  // It reads a memo as UTF-8 text: other bytes are replaced.
  if (payload.type === 'token_transfer' && payload.memo.some(byte => byte > 0x7f)) return true;
  const args = payload.type === 'contract_call' ? payload.args : [];
  const tokens = postConditions.flatMap(p => (p.type === 'non_fungible' ? [p.value] : []));
  return [...args, ...tokens].some(bytes => stacksChangesValue(decodeClarity(bytes)));
}

/** Values that it refuses, or writes otherwise than it read them. */
export function stacksChangesValue(value: ClarityValue): boolean {
  switch (value.type) {
    case 'string-utf8':
      // It drops a leading byte order mark.
      return value.text.startsWith('\ufeff');
    case 'ok':
    case 'err':
    case 'some':
      return stacksChangesValue(value.value);
    case 'list':
      return value.items.some(stacksChangesValue);
    case 'tuple': {
      const names = value.entries.map(entry => entry.name);
      // It refuses names of 128 bytes, the longest that the node takes.
      if (names.some(name => name.length === 128)) return true;
      // It writes keys in the order of a dictionary; the node orders them by their bytes.
      const dictionary = [...names].sort((a, b) => a.localeCompare(b));
      return names.some((name, i) => name !== dictionary[i]) || value.entries.some(e => stacksChangesValue(e.value));
    }
    default:
      return false;
  }
}

/** The text of a value as `cvToString` shows it. Each line that is not the canonical form says why not. */
export function stacksText(value: ClarityValue): string {
  switch (value.type) {
    case 'int':
      return value.value.toString();
    case 'uint':
      return `u${value.value}`;
    case 'bool':
      return String(value.value);
    case 'buffer':
      return `0x${Buffer.from(value.bytes).toString('hex')}`;
    case 'principal':
      // No apostrophe before a principal.
      return value.contract === undefined ? value.address : `${value.address}.${value.contract}`;
    case 'ok':
    case 'err':
    case 'some':
      return `(${value.type} ${stacksText(value.value)})`;
    case 'none':
      return 'none';
    case 'list':
      // An empty list keeps the blank after its word.
      return `(list ${value.items.map(stacksText).join(' ')})`;
    case 'tuple':
      // An empty tuple too; and keys stand in the order of the wire, whatever it is.
      return `(tuple ${value.entries.map(entry => `(${entry.name} ${stacksText(entry.value)})`).join(' ')})`;
    case 'string-ascii':
      // Nothing inside quotes is escaped: the text cannot be read back.
      return `"${value.text}"`;
    case 'string-utf8':
      return `u"${value.text}"`;
  }
}
