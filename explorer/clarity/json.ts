import type { ClarityTree } from './value.ts';

/** A value as the JSON that read-only calls take for its type. */
export function jsonOfTree(tree: ClarityTree): unknown {
  switch (tree.kind) {
    case 'bool':
      return tree.text === 'true';
    case 'none':
      return null;
    case 'some':
      return jsonOfTree(tree.value);
    case 'ok':
      return { ok: jsonOfTree(tree.value) };
    case 'err':
      return { error: jsonOfTree(tree.value) };
    case 'list':
      return tree.items.map(jsonOfTree);
    case 'tuple':
      return Object.fromEntries(tree.fields.map(({ name, value }) => [name, jsonOfTree(value)]));
    default:
      return tree.text;
  }
}
