import type { Tool } from './tool.ts';
import { account, names, stacking } from './tools/accounts.ts';
import { block, chainStatus, fees, search } from './tools/chain.ts';
import { callReadOnly, contract, contractLogs } from './tools/contracts.ts';
import { sbtc } from './tools/sbtc.ts';
import { holders, token } from './tools/tokens.ts';
import { explainTransaction, transactions, whyPending } from './tools/transactions.ts';
import { apiGet, listEndpoints } from './tools/whole-api.ts';

/** The tools, in the order in which a client lists them. */
export const tools: readonly Tool[] = [
  chainStatus,
  search,
  account,
  transactions,
  explainTransaction,
  whyPending,
  token,
  holders,
  contract,
  contractLogs,
  callReadOnly,
  names,
  stacking,
  sbtc,
  block,
  fees,
  listEndpoints,
  apiGet,
];
