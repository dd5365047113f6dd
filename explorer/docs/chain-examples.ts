import { read } from '../api/client.ts';

type Parameter = {
  name: string;
  example?: unknown;
  examples?: unknown;
  schema?: { example?: unknown; examples?: unknown };
};
type Operation = { operationId?: string; tags?: string[]; summary?: string; parameters?: Parameter[] };
export type OpenApiDocument = { paths: Record<string, Record<string, Operation>> };

/** Values of this very chain for path parameters, by the name of the parameter. */
export async function readChainExamples(): Promise<Record<string, string | number>> {
  const [{ results: transactions }, { results: blocks }] = await Promise.all([
    read('/extended/v3/transactions', { limit: 20 }),
    read('/extended/v2/blocks/', { limit: 1 }),
  ]);
  const transfer = transactions.find(tx => tx.type === 'token_transfer') ?? transactions[0];
  const call = transactions.find(tx => tx.type === 'contract_call');
  const block = blocks[0];
  return {
    ...(transfer && { tx_id: transfer.tx_id, principal: transfer.sender.address, address: transfer.sender.address }),
    ...(call?.type === 'contract_call' && { contract_id: call.contract_call.contract_id }),
    ...(block && {
      height_or_hash: block.height,
      height: block.height,
      hash: block.hash,
      block_hash: block.hash,
      tenure_height: block.tenure_height,
      burn_block_height: block.burn_block_height,
      burn_block_hash: block.burn_block_hash,
    }),
  };
}

/** Replaces the examples of parameters, so that "Try it out" finds something. Paths of the name service keep theirs. */
export function withExamples(document: OpenApiDocument, examples: Record<string, string | number>): OpenApiDocument {
  for (const [path, operations] of Object.entries(document.paths)) {
    if (!path.startsWith('/extended')) continue;
    for (const { parameters = [] } of Object.values(operations)) {
      for (const parameter of parameters) {
        const example = examples[parameter.name];
        if (example === undefined) continue;
        delete parameter.examples;
        parameter.example = example;
      }
    }
  }
  return document;
}
