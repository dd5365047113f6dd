import type { ContractFunctions, InterfaceStore } from './interfaces-queries.ts';

const MAX_INTERFACES = 500;

/**
 * The parsed interfaces (ABIs) of the contracts that were called last. Pages of transactions call the same few contracts
 * again and again. A new revision invalidates an entry.
 */
export class InterfaceCache implements InterfaceStore {
  readonly #entries = new Map<number, { revision: string; functions: ContractFunctions }>();

  get(contract: number, revision: string): ContractFunctions | undefined {
    const entry = this.#entries.get(contract);
    if (entry?.revision !== revision) return undefined;
    this.#entries.delete(contract);
    this.#entries.set(contract, entry);
    return entry.functions;
  }

  set(contract: number, revision: string, functions: ContractFunctions): void {
    this.#entries.delete(contract);
    this.#entries.set(contract, { revision, functions });
    if (this.#entries.size > MAX_INTERFACES) this.#entries.delete(this.#entries.keys().next().value!);
  }
}
