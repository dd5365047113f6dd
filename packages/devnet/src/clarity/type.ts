import type { AbiType } from '@cairn-stacks/codec/clarity/abi';
import { ClarityError, type Form } from './syntax.ts';

/** The names of types, as a source writes them. */
const simple: Record<string, AbiType> = { uint: 'uint128', int: 'int128', bool: 'bool', principal: 'principal' };

/** In outlines of interfaces, `never` is the type of a response half that does not occur: `none` in an interface. */
export const outlineTypes: Record<string, AbiType> = { ...simple, never: 'none' };

/** Fields of a tuple in the order of a contract interface: by name. */
export const tupleType = (fields: { name: string; type: AbiType }[]): AbiType => ({
  tuple: [...fields].sort((a, b) => (a.name < b.name ? -1 : 1)),
});

/** The type that an expression names, such as `(optional uint)`; throws a `ClarityError`. */
export function readType(form: Form | undefined, names = simple): AbiType {
  const read = (inner: Form | undefined) => readType(inner, names);
  if (form?.kind === 'name' && Object.hasOwn(names, form.text)) return names[form.text]!;
  if (form?.kind === 'trait') return 'trait_reference';
  if (form?.kind === 'tuple') return tupleType(form.entries.map(({ name, value }) => ({ name, type: read(value) })));
  if (form?.kind !== 'list') throw unknownType(form);
  const [head, ...rest] = form.items;
  if (head?.kind !== 'name') throw unknownType(form);
  switch (head.text) {
    case 'buff':
      return { buffer: { length: lengthOf(rest) } };
    case 'string-ascii':
      return { 'string-ascii': { length: lengthOf(rest) } };
    case 'string-utf8':
      return { 'string-utf8': { length: lengthOf(rest) } };
    case 'optional':
      return { optional: read(only(rest, form)) };
    case 'response':
      if (rest.length !== 2) throw unknownType(form);
      return { response: { ok: read(rest[0]), error: read(rest[1]) } };
    case 'list':
      if (rest.length !== 2) throw unknownType(form);
      return { list: { type: read(rest[1]), length: lengthOf(rest.slice(0, 1)) } };
    case 'tuple':
      return tupleType(
        rest.map(entry => {
          const [name, type] = entry.kind === 'list' ? entry.items : [];
          if (name?.kind !== 'name') throw unknownType(form);
          return { name: name.text, type: read(type) };
        }),
      );
    default:
      throw unknownType(form);
  }
}

function only(forms: Form[], whole: Form): Form {
  if (forms.length !== 1) throw unknownType(whole);
  return forms[0]!;
}

/** A length in a type; a node limits values to one mebibyte. */
function lengthOf([form, ...more]: Form[]): number {
  const value = form?.kind === 'literal' && form.value.type === 'int' ? form.value.value : -1n;
  if (more.length > 0 || value < 0n || value > 1_048_576n) throw new ClarityError('created a type which was invalid');
  return Number(value);
}

const unknownType = (form: Form | undefined) => new ClarityError(`could not parse type: ${describe(form)}`);

/** An expression for an error message. */
export function describe(form: Form | undefined): string {
  if (form === undefined) return 'nothing';
  switch (form.kind) {
    case 'name':
    case 'path':
      return form.text.slice(0, 80);
    case 'trait':
      return `<${form.text.slice(0, 80)}>`;
    case 'list':
      return `(${form.items.slice(0, 1).map(describe).join('')} …)`;
    default:
      return `a ${form.kind}`;
  }
}
