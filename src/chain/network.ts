/** Which chain a database belongs to, and what follows from it. */
export type Network = { name: string; chainId: number; mainnet: boolean };

/** Deploys the contracts of genesis and of each epoch. */
export function bootAddress(mainnet: boolean): string {
  return mainnet ? 'SP000000000000000000002Q6VF78' : 'ST000000000000000000002AMW42H';
}
