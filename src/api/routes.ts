import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { RouteContext } from './route-context.ts';
import { metadataFt } from './routes/metadata/ft.ts';
import { metadataIndex } from './routes/metadata/index.ts';
import { metadataNft } from './routes/metadata/nft.ts';
import { metadataSearch } from './routes/metadata/search.ts';
import { metadataSft } from './routes/metadata/sft.ts';
import { namesAddresses } from './routes/names/addresses.ts';
import { namesNames } from './routes/names/names.ts';
import { namesNamespaces } from './routes/names/namespaces.ts';
import { namesPrices } from './routes/names/prices.ts';
import { serviceBitcoin } from './routes/service/bitcoin.ts';
import { serviceDocs } from './routes/service/docs.ts';
import { serviceHealthz } from './routes/service/healthz.ts';
import { serviceIndex } from './routes/service/index.ts';
import { serviceOpenapi } from './routes/service/openapi.ts';
import { serviceReadyz } from './routes/service/readyz.ts';
import { serviceSchemas } from './routes/service/schemas.ts';
import { signerMetricsBlockProposals } from './routes/signer-metrics/block_proposals.ts';
import { signerMetricsBlocks } from './routes/signer-metrics/blocks.ts';
import { signerMetricsCycles } from './routes/signer-metrics/cycles.ts';
import { signerMetricsIndex } from './routes/signer-metrics/index.ts';
import { v1AddressAssets } from './routes/v1/address/assets.ts';
import { v1AddressBalances } from './routes/v1/address/balances.ts';
import { v1AddressMempool } from './routes/v1/address/mempool.ts';
import { v1AddressNonces } from './routes/v1/address/nonces.ts';
import { v1AddressStx } from './routes/v1/address/stx.ts';
import { v1AddressStxInbound } from './routes/v1/address/stx_inbound.ts';
import { v1AddressTransactions } from './routes/v1/address/transactions.ts';
import { v1AddressTransactionsWithTransfers } from './routes/v1/address/transactions_with_transfers.ts';
import { v1AddressWithTransfers } from './routes/v1/address/with_transfers.ts';
import { v1Block } from './routes/v1/block.ts';
import { v1Burnchain } from './routes/v1/burnchain.ts';
import { v1ContractCall } from './routes/v1/contract/call.ts';
import { v1Contract } from './routes/v1/contract.ts';
import { v1Faucets } from './routes/v1/faucets.ts';
import { v1FeeRate } from './routes/v1/fee_rate.ts';
import { v1History } from './routes/v1/history.ts';
import { v1Info } from './routes/v1/info.ts';
import { v1Microblock } from './routes/v1/microblock.ts';
import { v1Names } from './routes/v1/names.ts';
import { v1Namespaces } from './routes/v1/namespaces.ts';
import { v1PoxDelegations } from './routes/v1/pox/delegations.ts';
import { v1Pox } from './routes/v1/pox.ts';
import { v1PoxEvents } from './routes/v1/pox_events.ts';
import { v1Search } from './routes/v1/search.ts';
import { v1Status } from './routes/v1/status.ts';
import { v1StxSupply } from './routes/v1/stx_supply.ts';
import { v1TokensFt } from './routes/v1/tokens/ft.ts';
import { v1TokensNft } from './routes/v1/tokens/nft.ts';
import { v1TxBlock } from './routes/v1/tx/block.ts';
import { v1TxBlockHeight } from './routes/v1/tx/block_height.ts';
import { v1TxDiagnosis } from './routes/v1/tx/diagnosis.ts';
import { v1TxEvents } from './routes/v1/tx/events.ts';
import { v1TxMempool } from './routes/v1/tx/mempool.ts';
import { v1Tx } from './routes/v1/tx.ts';
import { v2AddressesBalances } from './routes/v2/addresses/balances.ts';
import { v2AddressesPoxTransactions } from './routes/v2/addresses/pox-transactions.ts';
import { v2AddressesTransactions } from './routes/v2/addresses/transactions.ts';
import { v2BlockTenures } from './routes/v2/block-tenures.ts';
import { v2BlocksTransactions } from './routes/v2/blocks/transactions.ts';
import { v2Blocks } from './routes/v2/blocks.ts';
import { v2BurnBlocksPoxTransactions } from './routes/v2/burn-blocks/pox-transactions.ts';
import { v2BurnBlocks } from './routes/v2/burn-blocks.ts';
import { v2Mempool } from './routes/v2/mempool.ts';
import { v2PoxCycles } from './routes/v2/pox/cycles.ts';
import { v2SmartContracts } from './routes/v2/smart-contracts.ts';
import { v3Blocks } from './routes/v3/blocks.ts';
import { v3Faucets } from './routes/v3/faucets.ts';
import { v3Mempool } from './routes/v3/mempool.ts';
import { v3PrincipalsBalanceChanges } from './routes/v3/principals/balance-changes.ts';
import { v3PrincipalsBalances } from './routes/v3/principals/balances.ts';
import { v3PrincipalsMempool } from './routes/v3/principals/mempool.ts';
import { v3PrincipalsMining } from './routes/v3/principals/mining.ts';
import { v3PrincipalsNonces } from './routes/v3/principals/nonces.ts';
import { v3PrincipalsStaking } from './routes/v3/principals/staking.ts';
import { v3PrincipalsTransactionsBalanceChanges } from './routes/v3/principals/transactions/balance-changes.ts';
import { v3PrincipalsTransactions } from './routes/v3/principals/transactions.ts';
import { v3PrincipalsTransfers } from './routes/v3/principals/transfers.ts';
import { v3Search } from './routes/v3/search.ts';
import { v3SmartContracts } from './routes/v3/smart-contracts.ts';
import { v3StakingBondsEvents } from './routes/v3/staking/bonds/events.ts';
import { v3StakingBonds } from './routes/v3/staking/bonds.ts';
import { v3StakingCyclesSigners } from './routes/v3/staking/cycles/signers.ts';
import { v3StakingCycles } from './routes/v3/staking/cycles.ts';
import { v3StakingSigners } from './routes/v3/staking/signers.ts';
import { v3Staking } from './routes/v3/staking.ts';
import { v3Tokens } from './routes/v3/tokens.ts';
import { v3Transactions } from './routes/v3/transactions.ts';

/**
 * Table of contents of the API: the beginning of a URL and the plugin that serves it, one line for each file below
 * `routes/`. The URL names the file:
 *
 * - `/extended` and the parameters are dropped: `/extended/v1/address/:principal/stx` is in `routes/v1/address/stx.ts`.
 *   `:pox`, `pox2`, `pox3` and `pox4` are all written `pox`.
 * - A file may serve a small family: every URL that begins with its path and has no deeper file of its own.
 *   `/extended/v2/blocks/:height_or_hash/signer-signatures` is in `routes/v2/blocks.ts`.
 * - The name service has no `/extended`: `/v1/names` and `/v2/prices` are `routes/names/names.ts` and
 *   `routes/names/prices.ts`.
 * - Token metadata are served with and without a version: `/metadata/v1/ft` and `/metadata/ft` are `routes/metadata/ft.ts`,
 *   and their start page is in `index.ts` there.
 * - The signer metrics have one version, which is dropped: `/signer-metrics/v1/cycles` is in
 *   `routes/signer-metrics/cycles.ts`, their status in its `index.ts`.
 * - Everything else is in `routes/service`, the two start pages in its `index.ts`.
 *
 * The routes of the proxy (`/v2/info`, …) and of Rosetta are in `src/proxy` and `src/rosetta`.
 */
export const routes: Readonly<Record<string, FastifyPluginAsyncTypebox<RouteContext>>> = {
  '/bitcoin': serviceBitcoin,
  '/docs': serviceDocs,
  '/healthz': serviceHealthz,
  '/': serviceIndex,
  '/openapi.json': serviceOpenapi,
  '/readyz': serviceReadyz,
  '/schemas': serviceSchemas,

  '/extended/v1/address/:principal/assets': v1AddressAssets,
  '/extended/v1/address/:principal/balances': v1AddressBalances,
  '/extended/v1/address/:principal/mempool': v1AddressMempool,
  '/extended/v1/address/:principal/nonces': v1AddressNonces,
  '/extended/v1/address/:principal/stx': v1AddressStx,
  '/extended/v1/address/:principal/stx_inbound': v1AddressStxInbound,
  '/extended/v1/address/:principal/transactions': v1AddressTransactions,
  '/extended/v1/address/:principal/transactions_with_transfers': v1AddressTransactionsWithTransfers,
  '/extended/v1/address/:principal/:tx_id/with_transfers': v1AddressWithTransfers,
  '/extended/v1/block': v1Block,
  '/extended/v1/burnchain': v1Burnchain,
  '/extended/v1/contract': v1Contract,
  '/extended/v1/contract/:contract_id/call': v1ContractCall,
  '/extended/v1/faucets': v1Faucets,
  '/extended/v1/fee_rate': v1FeeRate,
  '/extended/v1/history': v1History,
  '/extended/v1/info': v1Info,
  '/extended/v1/microblock': v1Microblock,
  '/extended/v1/names': v1Names,
  '/extended/v1/namespaces': v1Namespaces,
  '/extended/v1/:pox': v1Pox,
  '/extended/v1/:pox/:pool_principal/delegations': v1PoxDelegations,
  '/extended/v1/pox_events': v1PoxEvents,
  '/extended/v1/search': v1Search,
  '/extended/v1/status': v1Status,
  '/extended/v1/stx_supply': v1StxSupply,
  '/extended/v1/tokens/ft': v1TokensFt,
  '/extended/v1/tokens/nft': v1TokensNft,
  '/extended/v1/tx': v1Tx,
  '/extended/v1/tx/block': v1TxBlock,
  '/extended/v1/tx/block_height': v1TxBlockHeight,
  '/extended/v1/tx/:tx_id/diagnosis': v1TxDiagnosis,
  '/extended/v1/tx/events': v1TxEvents,
  '/extended/v1/tx/mempool': v1TxMempool,

  '/extended/v2/addresses/:principal/balances': v2AddressesBalances,
  '/extended/v2/addresses/:burnchain_address/pox-transactions': v2AddressesPoxTransactions,
  '/extended/v2/addresses/:address/transactions': v2AddressesTransactions,
  '/extended/v2/block-tenures': v2BlockTenures,
  '/extended/v2/blocks': v2Blocks,
  '/extended/v2/blocks/:height_or_hash/transactions': v2BlocksTransactions,
  '/extended/v2/burn-blocks': v2BurnBlocks,
  '/extended/v2/burn-blocks/:height_or_hash/pox-transactions': v2BurnBlocksPoxTransactions,
  '/extended/v2/mempool': v2Mempool,
  '/extended/v2/pox/cycles': v2PoxCycles,
  '/extended/v2/smart-contracts': v2SmartContracts,

  '/extended/v3/blocks': v3Blocks,
  '/extended/v3/faucets': v3Faucets,
  '/extended/v3/mempool': v3Mempool,
  '/extended/v3/principals/:principal/balance-changes': v3PrincipalsBalanceChanges,
  '/extended/v3/principals/:principal/balances': v3PrincipalsBalances,
  '/extended/v3/principals/:principal/mempool': v3PrincipalsMempool,
  '/extended/v3/principals/:principal/mining': v3PrincipalsMining,
  '/extended/v3/principals/:principal/nonces': v3PrincipalsNonces,
  '/extended/v3/principals/:principal/staking': v3PrincipalsStaking,
  '/extended/v3/principals/:principal/transactions': v3PrincipalsTransactions,
  '/extended/v3/principals/:principal/transactions/:tx_id/balance-changes': v3PrincipalsTransactionsBalanceChanges,
  '/extended/v3/principals/:principal/transfers': v3PrincipalsTransfers,
  '/extended/v3/search': v3Search,
  '/extended/v3/smart-contracts': v3SmartContracts,
  '/extended/v3/staking': v3Staking,
  '/extended/v3/staking/bonds': v3StakingBonds,
  '/extended/v3/staking/bonds/:bond_index/events': v3StakingBondsEvents,
  '/extended/v3/staking/cycles': v3StakingCycles,
  '/extended/v3/staking/cycles/:cycle_number/signers': v3StakingCyclesSigners,
  '/extended/v3/staking/signers': v3StakingSigners,
  '/extended/v3/tokens': v3Tokens,
  '/extended/v3/transactions': v3Transactions,

  '/metadata/v1': metadataIndex,
  '/metadata/v1/ft': metadataFt,
  '/metadata/v1/nft': metadataNft,
  '/metadata/v1/search': metadataSearch,
  '/metadata/v1/sft': metadataSft,

  '/signer-metrics': signerMetricsIndex,
  '/signer-metrics/v1/block_proposals': signerMetricsBlockProposals,
  '/signer-metrics/v1/blocks': signerMetricsBlocks,
  '/signer-metrics/v1/cycles': signerMetricsCycles,

  '/v1/addresses': namesAddresses,
  '/v1/names': namesNames,
  '/v1/namespaces': namesNamespaces,
  '/v2/prices': namesPrices,
};
