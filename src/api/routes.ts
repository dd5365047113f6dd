import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { serviceMcp } from '../mcp/routes.ts';
import { v1Info } from '../read/blocks/info-routes-v1.ts';
import { v1Microblock } from '../read/blocks/microblocks-routes-v1.ts';
import { v1Block } from '../read/blocks/routes-v1.ts';
import { v2Blocks } from '../read/blocks/routes-v2.ts';
import { v3Blocks } from '../read/blocks/routes-v3.ts';
import { v2BlockTenures } from '../read/blocks/tenures-routes-v2.ts';
import { v2AddressesPoxTransactions } from '../read/burn/address-pox-transactions-routes-v2.ts';
import { v2BurnBlocksPoxTransactions } from '../read/burn/pox-transactions-routes-v2.ts';
import { v1Burnchain } from '../read/burn/routes-v1.ts';
import { v2BurnBlocks } from '../read/burn/routes-v2.ts';
import { v1ContractCall } from '../read/contracts/call-routes-v1.ts';
import { v1PrintSchema } from '../read/contracts/print-schema-routes-v1.ts';
import { v1Contract } from '../read/contracts/routes-v1.ts';
import { v2SmartContracts } from '../read/contracts/routes-v2.ts';
import { v3SmartContracts } from '../read/contracts/routes-v3.ts';
import { v1TxEvents } from '../read/events/routes-v1.ts';
import { v1HistoryExport } from '../read/history/export-routes-v1.ts';
import { v1ListExport } from '../read/history/list-export-routes-v1.ts';
import { v1History } from '../read/history/routes-v1.ts';
import { v1TxDiagnosis } from '../read/mempool/diagnosis-routes-v1.ts';
import { v1TxMempool } from '../read/mempool/routes-v1.ts';
import { v2Mempool } from '../read/mempool/routes-v2.ts';
import { v3Mempool } from '../read/mempool/routes-v3.ts';
import { metadataFt } from '../read/metadata/ft-routes.ts';
import { metadataIndex } from '../read/metadata/index-routes.ts';
import { metadataNft } from '../read/metadata/nft-routes.ts';
import { metadataSearch } from '../read/metadata/search-routes.ts';
import { metadataSft } from '../read/metadata/sft-routes.ts';
import { namesAddresses } from '../read/names/addresses-routes.ts';
import { bnsV2Names } from '../read/names/bns-v2-routes.ts';
import { v1Labels } from '../read/names/labels-routes-v1.ts';
import { namesNames } from '../read/names/names-routes.ts';
import { namesNamespaces } from '../read/names/namespaces-routes.ts';
import { v1Namespaces } from '../read/names/namespaces-routes-v1.ts';
import { namesPrices } from '../read/names/prices-routes.ts';
import { v1Names } from '../read/names/routes-v1.ts';
import { v2PoxCycles } from '../read/pox/cycles-routes-v2.ts';
import { v1PoxDelegations } from '../read/pox/delegations-routes-v1.ts';
import { v1PoxEvents } from '../read/pox/events-routes-v1.ts';
import { v1Pox } from '../read/pox/routes-v1.ts';
import { v1AddressAssets } from '../read/principals/assets-routes-v1.ts';
import { v3PrincipalsBalanceChanges } from '../read/principals/balance-changes-routes-v3.ts';
import { v1AddressBalances } from '../read/principals/balances-routes-v1.ts';
import { v2AddressesBalances } from '../read/principals/balances-routes-v2.ts';
import { v3PrincipalsBalances } from '../read/principals/balances-routes-v3.ts';
import { v3PrincipalsEvents } from '../read/principals/events-routes-v3.ts';
import { v1AddressMempool } from '../read/principals/mempool-routes-v1.ts';
import { v3PrincipalsMempool } from '../read/principals/mempool-routes-v3.ts';
import { v3PrincipalsMining } from '../read/principals/mining-routes-v3.ts';
import { v1AddressNonces } from '../read/principals/nonces-routes-v1.ts';
import { v3PrincipalsNonces } from '../read/principals/nonces-routes-v3.ts';
import { v1AddressStxInbound } from '../read/principals/stx-inbound-routes-v1.ts';
import { v1AddressStx } from '../read/principals/stx-routes-v1.ts';
import { v3PrincipalsTransactionsBalanceChanges } from '../read/principals/transaction-balance-changes-routes-v3.ts';
import { v1AddressTransactions } from '../read/principals/transactions-routes-v1.ts';
import { v2AddressesTransactions } from '../read/principals/transactions-routes-v2.ts';
import { v3PrincipalsTransactions } from '../read/principals/transactions-routes-v3.ts';
import { v1AddressTransactionsWithTransfers } from '../read/principals/transactions-with-transfers-routes-v1.ts';
import { v3PrincipalsTransfers } from '../read/principals/transfers-routes-v3.ts';
import { v1AddressWithTransfers } from '../read/principals/with-transfers-routes-v1.ts';
import { v1SbtcDeposits } from '../read/sbtc/deposits-routes-v1.ts';
import { v1SbtcPrincipals } from '../read/sbtc/principals-routes-v1.ts';
import { v1Sbtc } from '../read/sbtc/summary-routes-v1.ts';
import { v1SbtcWithdrawals } from '../read/sbtc/withdrawals-routes-v1.ts';
import { v1Search } from '../read/search/routes-v1.ts';
import { v3Search } from '../read/search/routes-v3.ts';
import { signerMetricsBlockProposals } from '../read/signers/block-proposals-routes.ts';
import { signerMetricsBlocks } from '../read/signers/blocks-routes.ts';
import { signerMetricsCycles } from '../read/signers/cycles-routes.ts';
import { signerMetricsIndex } from '../read/signers/index-routes.ts';
import { v3StakingBondsEvents } from '../read/staking/bond-events-routes-v3.ts';
import { v3StakingBonds } from '../read/staking/bonds-routes-v3.ts';
import { v3StakingCyclesSigners } from '../read/staking/cycle-signers-routes-v3.ts';
import { v3StakingCycles } from '../read/staking/cycles-routes-v3.ts';
import { v3PrincipalsStakingRewards } from '../read/staking/principal-rewards-routes-v3.ts';
import { v3PrincipalsStaking } from '../read/staking/principals-routes-v3.ts';
import { v3Staking } from '../read/staking/routes-v3.ts';
import { v3StakingSignersEvents } from '../read/staking/signer-events-routes-v3.ts';
import { v3StakingSigners } from '../read/staking/signers-routes-v3.ts';
import { serviceBitcoin } from '../read/status/bitcoin-routes.ts';
import { serviceHealthz } from '../read/status/healthz-routes.ts';
import { v1StatusNetwork } from '../read/status/network-routes-v1.ts';
import { serviceReadyz } from '../read/status/readyz-routes.ts';
import { v1Status } from '../read/status/routes-v1.ts';
import { v1NftCollections } from '../read/tokens/collections-routes-v1.ts';
import { v1TokensFt } from '../read/tokens/ft-routes-v1.ts';
import { v1TokensNft } from '../read/tokens/nft-routes-v1.ts';
import { v3Tokens } from '../read/tokens/routes-v3.ts';
import { v1StxSupply } from '../read/tokens/stx-supply-routes-v1.ts';
import { v1TxBlockHeight } from '../read/transactions/block-height-routes-v1.ts';
import { v1TxBlock } from '../read/transactions/block-routes-v1.ts';
import { v2BlocksTransactions } from '../read/transactions/block-routes-v2.ts';
import { v1FeeRate } from '../read/transactions/fee-rate-routes-v1.ts';
import { v3TransactionProof } from '../read/transactions/proof-routes-v3.ts';
import { v1Tx } from '../read/transactions/routes-v1.ts';
import { v3Transactions } from '../read/transactions/routes-v3.ts';
import { v1TransactionSimulation } from '../read/transactions/simulation-routes-v1.ts';
import { v1TxSummary } from '../read/transactions/summary-routes-v1.ts';
import { v1Stream } from '../stream/routes-v1.ts';
import type { ApiContext } from './api-context.ts';
import { v1Batch } from './batch/routes-v1.ts';
import { serviceChainhooks } from './chainhooks/routes.ts';
import { serviceDocs } from './docs/docs-routes.ts';
import { serviceGuides } from './docs/guides-routes.ts';
import { serviceOpenapi } from './docs/openapi-routes.ts';
import { serviceSchemas } from './docs/schemas-routes.ts';
import { v1Faucets } from './faucets/routes-v1.ts';
import { v3Faucets } from './faucets/routes-v3.ts';
import { serviceIndex } from './index-routes.ts';

/** Route files, each by its path inside `src`, and the plugin that the file exports. */
export type RouteFiles = Readonly<Record<string, FastifyPluginAsyncTypebox<ApiContext>>>;

/**
 * The route files of the API. A URL stands only in its route file: `cairn routes` prints which file serves which URL, as in
 * docs/routes.md. The routes of the proxy (`/v2/info`, …) and of Rosetta are in `src/proxy` and `src/rosetta`.
 */
export const routeFiles: RouteFiles = {
  'mcp/routes': serviceMcp,

  'read/blocks/info-routes-v1': v1Info,
  'read/blocks/microblocks-routes-v1': v1Microblock,
  'read/blocks/routes-v1': v1Block,
  'read/blocks/routes-v2': v2Blocks,
  'read/blocks/routes-v3': v3Blocks,
  'read/blocks/tenures-routes-v2': v2BlockTenures,

  'read/burn/address-pox-transactions-routes-v2': v2AddressesPoxTransactions,
  'read/burn/pox-transactions-routes-v2': v2BurnBlocksPoxTransactions,
  'read/burn/routes-v1': v1Burnchain,
  'read/burn/routes-v2': v2BurnBlocks,

  'read/contracts/call-routes-v1': v1ContractCall,
  'read/contracts/print-schema-routes-v1': v1PrintSchema,
  'read/contracts/routes-v1': v1Contract,
  'read/contracts/routes-v2': v2SmartContracts,
  'read/contracts/routes-v3': v3SmartContracts,

  'read/events/routes-v1': v1TxEvents,

  'read/history/export-routes-v1': v1HistoryExport,
  'read/history/list-export-routes-v1': v1ListExport,
  'read/principals/events-routes-v3': v3PrincipalsEvents,
  'read/history/routes-v1': v1History,

  'read/mempool/diagnosis-routes-v1': v1TxDiagnosis,
  'read/mempool/routes-v1': v1TxMempool,
  'read/mempool/routes-v2': v2Mempool,
  'read/mempool/routes-v3': v3Mempool,

  'read/names/addresses-routes': namesAddresses,
  'read/names/bns-v2-routes': bnsV2Names,
  'read/names/labels-routes-v1': v1Labels,
  'read/names/names-routes': namesNames,
  'read/names/namespaces-routes': namesNamespaces,
  'read/names/namespaces-routes-v1': v1Namespaces,
  'read/names/prices-routes': namesPrices,
  'read/names/routes-v1': v1Names,

  'read/pox/cycles-routes-v2': v2PoxCycles,
  'read/pox/delegations-routes-v1': v1PoxDelegations,
  'read/pox/events-routes-v1': v1PoxEvents,
  'read/pox/routes-v1': v1Pox,

  'read/principals/assets-routes-v1': v1AddressAssets,
  'read/principals/balance-changes-routes-v3': v3PrincipalsBalanceChanges,
  'read/principals/balances-routes-v1': v1AddressBalances,
  'read/principals/balances-routes-v2': v2AddressesBalances,
  'read/principals/balances-routes-v3': v3PrincipalsBalances,
  'read/principals/mempool-routes-v1': v1AddressMempool,
  'read/principals/mempool-routes-v3': v3PrincipalsMempool,
  'read/principals/mining-routes-v3': v3PrincipalsMining,
  'read/principals/nonces-routes-v1': v1AddressNonces,
  'read/principals/nonces-routes-v3': v3PrincipalsNonces,
  'read/principals/stx-inbound-routes-v1': v1AddressStxInbound,
  'read/principals/stx-routes-v1': v1AddressStx,
  'read/principals/transaction-balance-changes-routes-v3': v3PrincipalsTransactionsBalanceChanges,
  'read/principals/transactions-routes-v1': v1AddressTransactions,
  'read/principals/transactions-routes-v2': v2AddressesTransactions,
  'read/principals/transactions-routes-v3': v3PrincipalsTransactions,
  'read/principals/transactions-with-transfers-routes-v1': v1AddressTransactionsWithTransfers,
  'read/principals/transfers-routes-v3': v3PrincipalsTransfers,
  'read/principals/with-transfers-routes-v1': v1AddressWithTransfers,

  'read/sbtc/deposits-routes-v1': v1SbtcDeposits,
  'read/sbtc/principals-routes-v1': v1SbtcPrincipals,
  'read/sbtc/summary-routes-v1': v1Sbtc,
  'read/sbtc/withdrawals-routes-v1': v1SbtcWithdrawals,

  'read/search/routes-v1': v1Search,
  'read/search/routes-v3': v3Search,

  'read/staking/bond-events-routes-v3': v3StakingBondsEvents,
  'read/staking/bonds-routes-v3': v3StakingBonds,
  'read/staking/cycle-signers-routes-v3': v3StakingCyclesSigners,
  'read/staking/cycles-routes-v3': v3StakingCycles,
  'read/staking/principal-rewards-routes-v3': v3PrincipalsStakingRewards,
  'read/staking/principals-routes-v3': v3PrincipalsStaking,
  'read/staking/routes-v3': v3Staking,
  'read/staking/signer-events-routes-v3': v3StakingSignersEvents,
  'read/staking/signers-routes-v3': v3StakingSigners,

  'read/status/bitcoin-routes': serviceBitcoin,
  'read/status/healthz-routes': serviceHealthz,
  'read/status/network-routes-v1': v1StatusNetwork,
  'read/status/readyz-routes': serviceReadyz,
  'read/status/routes-v1': v1Status,

  'read/tokens/collections-routes-v1': v1NftCollections,
  'read/tokens/ft-routes-v1': v1TokensFt,
  'read/tokens/nft-routes-v1': v1TokensNft,
  'read/tokens/routes-v3': v3Tokens,
  'read/tokens/stx-supply-routes-v1': v1StxSupply,

  'read/transactions/block-height-routes-v1': v1TxBlockHeight,
  'read/transactions/block-routes-v1': v1TxBlock,
  'read/transactions/block-routes-v2': v2BlocksTransactions,
  'read/transactions/fee-rate-routes-v1': v1FeeRate,
  'read/transactions/routes-v1': v1Tx,
  'read/transactions/routes-v3': v3Transactions,
  'read/transactions/simulation-routes-v1': v1TransactionSimulation,
  'read/transactions/summary-routes-v1': v1TxSummary,
  'read/transactions/proof-routes-v3': v3TransactionProof,

  'stream/routes-v1': v1Stream,

  'api/batch/routes-v1': v1Batch,
  'api/chainhooks/routes': serviceChainhooks,
  'api/docs/docs-routes': serviceDocs,
  'api/docs/guides-routes': serviceGuides,
  'api/docs/openapi-routes': serviceOpenapi,
  'api/docs/schemas-routes': serviceSchemas,
  'api/faucets/routes-v1': v1Faucets,
  'api/faucets/routes-v3': v3Faucets,
  'api/index-routes': serviceIndex,
};

/** Route files of services that may run elsewhere, by the prefix that is then forwarded. */
export const serviceRouteFiles: Readonly<Record<string, RouteFiles>> = {
  '/metadata': {
    'read/metadata/ft-routes': metadataFt,
    'read/metadata/index-routes': metadataIndex,
    'read/metadata/nft-routes': metadataNft,
    'read/metadata/search-routes': metadataSearch,
    'read/metadata/sft-routes': metadataSft,
  },
  '/signer-metrics': {
    'read/signers/block-proposals-routes': signerMetricsBlockProposals,
    'read/signers/blocks-routes': signerMetricsBlocks,
    'read/signers/cycles-routes': signerMetricsCycles,
    'read/signers/index-routes': signerMetricsIndex,
  },
};
