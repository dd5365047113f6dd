// Generated from docs/openapi.json by scripts/client-operations.mjs. Do not edit.

/** What each operation takes and responds with. */
export type Operations = {
  /** Broadcast a transaction */
  broadcast_transaction: { parameters: { body: Uint8Array<ArrayBuffer> }; response: TransactionAccepted };
  /** Call a read-only function with JSON arguments */
  call_contract_function: { parameters: { "contract_id": string; "function": string; body: FunctionCall }; response: FunctionCallResult };
  /** Call a read-only function */
  call_read_only: { parameters: { "address": string; "name": string; "function": string; body: ReadOnlyCall }; response: ReadOnlyResult };
  /** Call a read-only function by contract identifier */
  call_read_only_by_contract_id: { parameters: { "contract": string; "function": string; body: ReadOnlyCall }; response: ReadOnlyResult };
  /** Delete a chainhook */
  delete_chainhook: { parameters: { "uuid": string }; response: undefined };
  /** Delete the secret of a key */
  delete_chainhooks_secret: { parameters: object; response: undefined };
  /** Download the transactions of a principal as CSV */
  download_account_history: { parameters: { "from"?: string; "to"?: string; "principal": string }; response: string };
  /** Enable or disable a chainhook */
  enable_chainhook: { parameters: { "uuid": string; body: ChainhookEnabled }; response: undefined };
  /** Enable or disable many chainhooks */
  enable_chainhooks: { parameters: { body: ChainhooksEnabled }; response: ChainhooksUpdated };
  /** Estimate the fee of a transaction */
  estimate_fee: { parameters: { body: FeeQuestion }; response: FeeEstimate };
  /** Evaluate a block */
  evaluate_chainhook: { parameters: { "uuid": string; body: ChainhookEvaluation }; response: undefined };
  /** Export the events of a principal */
  export_account_events: { parameters: { "format"?: "csv" | "ndjson"; "at_block"?: string; "after"?: string; "from_height"?: number; "to_height"?: number; "from_time"?: number; "to_time"?: number; "sender"?: string; "recipient"?: string; "contract"?: string; "function"?: string; "asset"?: "STX" | string; "event_type"?: ("stx_transfer" | "stx_mint" | "stx_burn" | "stx_lock" | "ft_transfer" | "ft_mint" | "ft_burn" | "nft_transfer" | "nft_mint" | "nft_burn" | "contract_log")[]; "min_amount"?: string; "principal": string }; response: string };
  /** Export what moved the balances of a principal */
  export_account_movements: { parameters: { "format"?: "csv" | "ndjson"; "at_block"?: string; "after"?: string; "from_height"?: number; "to_height"?: number; "from_time"?: number; "to_time"?: number; "sender"?: string; "recipient"?: string; "contract"?: string; "function"?: string; "asset"?: "STX" | string; "event_type"?: ("fee" | "mining_reward" | "stx_transfer" | "stx_mint" | "stx_burn" | "stx_lock" | "ft_transfer" | "ft_mint" | "ft_burn" | "nft_transfer" | "nft_mint" | "nft_burn")[]; "min_amount"?: string; "principal": string }; response: string };
  /** Export the transactions of a principal */
  export_account_transactions: { parameters: { "format"?: "csv" | "ndjson"; "at_block"?: string; "after"?: string; "from_height"?: number; "to_height"?: number; "from_time"?: number; "to_time"?: number; "sender"?: string; "recipient"?: string; "contract"?: string; "function"?: string; "status"?: "success" | "failed" | "abort_by_response" | "abort_by_post_condition" | "problematic_skipped"; "principal": string }; response: string };
  /** Export the transfers of a principal */
  export_account_transfers: { parameters: { "format"?: "csv" | "ndjson"; "at_block"?: string; "after"?: string; "from_height"?: number; "to_height"?: number; "from_time"?: number; "to_time"?: number; "sender"?: string; "recipient"?: string; "contract"?: string; "function"?: string; "asset"?: "STX" | string; "event_type"?: ("stx_transfer" | "stx_mint" | "stx_burn" | "ft_transfer" | "ft_mint" | "ft_burn" | "nft_transfer" | "nft_mint" | "nft_burn")[]; "min_amount"?: string; "principal": string }; response: string };
  /** Export the logs of a contract */
  export_contract_logs: { parameters: { "format"?: "csv" | "ndjson"; "at_block"?: string; "after"?: string; "from_height"?: number; "to_height"?: number; "from_time"?: number; "to_time"?: number; "topic"?: string; "contract_id": string }; response: string };
  /** Export the events of the chain */
  export_events: { parameters: { "format"?: "csv" | "ndjson"; "at_block"?: string; "after"?: string; "from_height"?: number; "to_height"?: number; "from_time"?: number; "to_time"?: number; "event_type"?: ("stx_transfer" | "stx_mint" | "stx_burn" | "stx_lock" | "ft_transfer" | "ft_mint" | "ft_burn" | "nft_transfer" | "nft_mint" | "nft_burn" | "contract_log")[] }; response: string };
  /** Export the holders of a token */
  export_token_holders: { parameters: { "format"?: "csv" | "ndjson"; "at_block"?: string; "after"?: string; "asset_identifier": string }; response: string };
  /** Export the transfers of a token */
  export_token_transfers: { parameters: { "format"?: "csv" | "ndjson"; "at_block"?: string; "after"?: string; "from_height"?: number; "to_height"?: number; "from_time"?: number; "to_time"?: number; "sender"?: string; "recipient"?: string; "function"?: string; "event_type"?: ("ft_transfer" | "ft_mint" | "ft_burn" | "nft_transfer" | "nft_mint" | "nft_burn")[]; "min_amount"?: string; "asset_identifier": string }; response: string };
  /** Export the transactions of the chain */
  export_transactions: { parameters: { "format"?: "csv" | "ndjson"; "at_block"?: string; "after"?: string; "from_height"?: number; "to_height"?: number; "from_time"?: number; "to_time"?: number; "status"?: "success" | "failed" | "abort_by_response" | "abort_by_post_condition" | "problematic_skipped" }; response: string };
  /** Export the transfers of the chain */
  export_transfers: { parameters: { "format"?: "csv" | "ndjson"; "at_block"?: string; "after"?: string; "from_height"?: number; "to_height"?: number; "from_time"?: number; "to_time"?: number; "event_type"?: ("stx_transfer" | "stx_mint" | "stx_burn" | "ft_transfer" | "ft_mint" | "ft_burn" | "nft_transfer" | "nft_mint" | "nft_burn")[] }; response: string };
  /** Get a fee rate. @deprecated */
  fetch_fee_rate: { parameters: { body: { transaction: string } }; response: FeeRate };
  /** List the subdomains of a name */
  fetch_subdomains_list_for_name: { parameters: { "unanchored"?: boolean; "name": string }; response: NameArray };
  /** Get the zonefile of a name */
  fetch_zone_file: { parameters: { "unanchored"?: boolean; "name": string }; response: Zonefile };
  /** List the asset events of an account */
  get_account_assets: { parameters: { "limit"?: number; "offset"?: number; "cursor"?: string; "unanchored"?: boolean; "at_block"?: string; "until_block"?: string; "metadata"?: boolean; "principal": string }; response: EventPage };
  /** Get all balances of an account. @deprecated */
  get_account_balance: { parameters: { "unanchored"?: boolean; "at_block"?: string; "until_block"?: string; "metadata"?: boolean; "principal": string }; response: AddressBalance };
  /** List the incoming STX transfers of an account */
  get_account_inbound: { parameters: { "limit"?: number; "offset"?: number; "cursor"?: string; "unanchored"?: boolean; "at_block"?: string; "until_block"?: string; "height"?: number; "from_height"?: number; "to_height"?: number; "from_time"?: number; "to_time"?: number; "sender"?: string; "recipient"?: string; "function"?: string; "min_amount"?: string; "principal": string }; response: InboundTransferPage };
  /** Get the pending nonces of an account */
  get_account_nonce_chain: { parameters: { "principal": string }; response: NonceChain };
  /** Get the nonces of an account */
  get_account_nonces: { parameters: { "block_height"?: number; "block_hash"?: string; "at_block"?: string; "principal": string }; response: AddressNonces };
  /** Get the STX balance of an account. @deprecated */
  get_account_stx_balance: { parameters: { "unanchored"?: boolean; "at_block"?: string; "until_block"?: string; "principal": string }; response: StxBalance };
  /** List the transactions of an account. @deprecated */
  get_account_transactions: { parameters: { "limit"?: number; "offset"?: number; "cursor"?: string; "from_height"?: number; "to_height"?: number; "from_time"?: number; "to_time"?: number; "sender"?: string; "recipient"?: string; "contract"?: string; "function"?: string; "status"?: "success" | "failed" | "abort_by_response" | "abort_by_post_condition" | "problematic_skipped"; "unanchored"?: boolean; "at_block"?: string; "until_block"?: string; "height"?: number; "exclude_function_args"?: boolean; "principal": string }; response: FilteredTransactionPage };
  /** List the transactions of an account with their transfers. @deprecated */
  get_account_transactions_with_transfers: { parameters: { "limit"?: number; "offset"?: number; "cursor"?: string; "unanchored"?: boolean; "at_block"?: string; "until_block"?: string; "height"?: number; "principal": string }; response: AddressTransactionWithTransfersPage };
  /** List the pending transactions of a principal */
  get_address_mempool_transactions: { parameters: { "limit"?: number; "offset"?: number; "unanchored"?: boolean; "exclude_function_args"?: boolean; "principal": string }; response: MempoolTransactionPage };
  /** List the asset events of a transaction for a principal */
  get_address_transaction_events: { parameters: { "limit"?: number; "offset"?: number; "cursor"?: string; "address": string; "tx_id": string }; response: AddressTransactionEventPage };
  /** List the transactions of a principal */
  get_address_transactions: { parameters: { "limit"?: number; "offset"?: number; "cursor"?: string; "exclude_function_args"?: boolean; "from_height"?: number; "to_height"?: number; "from_time"?: number; "to_time"?: number; "sender"?: string; "recipient"?: string; "contract"?: string; "function"?: string; "status"?: "success" | "failed" | "abort_by_response" | "abort_by_post_condition" | "problematic_skipped"; "address": string }; response: AddressTransactionPage };
  /** List names */
  get_all_names: { parameters: { "unanchored"?: boolean; "page"?: number }; response: NameArray };
  /** List namespaces */
  get_all_namespaces: { parameters: { "unanchored"?: boolean }; response: Namespaces };
  /** Get the status of the continuous audit */
  get_audit: { parameters: object; response: Audit };
  /** Get the average block times */
  get_average_block_times: { parameters: object; response: AverageBlockTimes };
  /** Get the balance of a principal over time */
  get_balance_history: { parameters: { "from"?: string; "to"?: string; "points"?: number; "step"?: number; "asset"?: string; "principal": string }; response: BalanceSeries };
  /** Get the status with all fields */
  get_bitcoin_status: { parameters: object; response: BitcoinStatus };
  /** Get a block */
  get_block: { parameters: { "height_or_hash": "latest" | string | number }; response: NakamotoBlock };
  /** Get the block at a time */
  get_block_by_block_time: { parameters: { "timestamp": number }; response: NakamotoBlock };
  /** Get the newest block of a burn block by hash. @deprecated */
  get_block_by_burn_block_hash: { parameters: { "burn_block_hash": string }; response: Block };
  /** Get the newest block of a burn block by height. @deprecated */
  get_block_by_burn_block_height: { parameters: { "burn_block_height": number }; response: Block };
  /** Get a block by hash. @deprecated */
  get_block_by_hash: { parameters: { "hash": string }; response: Block };
  /** Get a block by height. @deprecated */
  get_block_by_height: { parameters: { "height": number }; response: Block };
  /** List blocks. @deprecated */
  get_block_list: { parameters: { "limit"?: number; "offset"?: number; "cursor"?: string }; response: BlockPage };
  /** Get a block proposal with the vote of each signer */
  get_block_proposal: { parameters: { "block_hash": string }; response: BlockProposal };
  /** List block proposals with the vote of each signer */
  get_block_proposals: { parameters: { "limit"?: number; "offset"?: number }; response: BlockProposalPage };
  /** List the transactions of a block */
  get_block_transactions: { parameters: { "limit"?: number; "cursor"?: string; "height_or_hash": "latest" | string | number }; response: TransactionSummaryList };
  /** List blocks */
  get_blocks: { parameters: { "limit"?: number; "offset"?: number; "cursor"?: string }; response: NakamotoBlockPage };
  /** List the Stacks blocks of a burn block */
  get_blocks_by_burn_block: { parameters: { "limit"?: number; "offset"?: number; "cursor"?: string; "height_or_hash": "latest" | string | number }; response: BurnBlockBlockPage };
  /** Get a name of version 2 */
  get_bns_v2_name: { parameters: { "name": string }; response: BnsV2NameFound };
  /** List the valid names of an account */
  get_bns_v2_valid_names: { parameters: { "limit"?: number; "offset"?: number; "principal": string }; response: BnsV2Names };
  /** Get a bond */
  get_bond: { parameters: { "bond_index": number }; response: Bond };
  /** List the allowlist of a bond */
  get_bond_allowlist_entries: { parameters: { "limit"?: number; "cursor"?: string; "bond_index": number }; response: BondAllowlist };
  /** Get an allowlist entry of a bond */
  get_bond_allowlist_entry: { parameters: { "bond_index": number; "principal": string }; response: BondAllowlistEntry };
  /** List the events of a bond */
  get_bond_events: { parameters: { "limit"?: number; "cursor"?: string; "bond_index": number }; response: BondEventList };
  /** Get a registration of a bond */
  get_bond_registration: { parameters: { "bond_index": number; "principal": string }; response: BondRegistration };
  /** List the registrations of a bond */
  get_bond_registrations: { parameters: { "limit"?: number; "cursor"?: string; "bond_index": number }; response: BondRegistrationList };
  /** List bonds */
  get_bonds: { parameters: { "limit"?: number; "cursor"?: string }; response: BondList };
  /** Get the bitcoin balance of a testnet address */
  get_btc_balance: { parameters: { "address": string }; response: BitcoinFaucetBalance };
  /** Get a burn block */
  get_burn_block: { parameters: { "height_or_hash": "latest" | string | number }; response: BurnBlock };
  /** List the PoX payments of a burn block */
  get_burn_block_pox_transactions: { parameters: { "limit"?: number; "offset"?: number; "include"?: "payer"; "height_or_hash": "latest" | string | number }; response: BurnBlockPoxTransactionPage };
  /** List burn blocks */
  get_burn_blocks: { parameters: { "limit"?: number; "offset"?: number }; response: BurnBlockPage };
  /** List the PoX payments to a Bitcoin address */
  get_burnchain_address_pox_transactions: { parameters: { "limit"?: number; "offset"?: number; "include"?: "payer"; "burnchain_address": string }; response: BurnBlockPoxTransactionPage };
  /** List burn chain rewards */
  get_burnchain_reward_list: { parameters: { "limit"?: number; "offset"?: number }; response: BurnchainRewardPage };
  /** List the burn chain rewards of an address */
  get_burnchain_reward_list_by_address: { parameters: { "limit"?: number; "offset"?: number; "address": string }; response: BurnchainRewardPage };
  /** List reward slot holders */
  get_burnchain_reward_slot_holders: { parameters: { "limit"?: number; "offset"?: number }; response: RewardSlotHolderPage };
  /** List the reward slots of an address */
  get_burnchain_reward_slot_holders_by_address: { parameters: { "limit"?: number; "offset"?: number; "address": string }; response: RewardSlotHolderPage };
  /** Get the total burn chain rewards of an address */
  get_burnchain_rewards_total_by_address: { parameters: { "address": string }; response: BurnchainRewardTotal };
  /** Get a chainhook */
  get_chainhook: { parameters: { "uuid": string }; response: Chainhook };
  /** List the chainhooks of a key */
  get_chainhooks: { parameters: { "limit"?: number; "offset"?: number }; response: ChainhookPage };
  /** Get the secret of a key */
  get_chainhooks_secret: { parameters: object; response: ChainhookSecret };
  /** Get the status of chainhooks */
  get_chainhooks_status: { parameters: object; response: ChainhooksStatus };
  /** Get a contract */
  get_contract_by_id: { parameters: { "contract_id": string }; response: SmartContract };
  /** List the events of a contract */
  get_contract_events_by_id: { parameters: { "limit"?: number; "offset"?: number; "cursor"?: string; "from_height"?: number; "to_height"?: number; "from_time"?: number; "to_time"?: number; "sender"?: string; "function"?: string; "topic"?: string; "contract_id": string }; response: ContractEventPage };
  /** Get what the prints of a contract look like */
  get_contract_print_schema: { parameters: { "at_block"?: string; "contract_id": string }; response: PrintSchema };
  /** List the contracts that implement a trait */
  get_contracts_by_trait: { parameters: { "trait_abi": string; "limit"?: number; "offset"?: number }; response: SmartContractPage };
  /** List the signers of a staking cycle */
  get_cycle_signers: { parameters: { "limit"?: number; "cursor"?: string; "cycle_number": string }; response: CycleSignerList };
  /** Get a data variable of a contract */
  get_data_variable: { parameters: { "tip"?: string; "proof"?: string; "address": string; "name": string; "variable": string }; response: ClarityData };
  /** Get the status of the database */
  get_database_status: { parameters: object; response: DatabaseStatus };
  /** List dropped transactions */
  get_dropped_mempool_transaction_list: { parameters: { "limit"?: number; "offset"?: number }; response: MempoolTransactionPage };
  /** List the names that expire soon */
  get_expiring_names: { parameters: { "version"?: number; "within"?: number; "limit"?: number; "cursor"?: string }; response: ExpiringNamePage };
  /** Get fees over time */
  get_fee_history: { parameters: { "from"?: string; "to"?: string; "points"?: number; "step"?: number }; response: FeeSeries };
  /** Get the status of the streams */
  get_feeds_status: { parameters: object; response: FeedsStatus };
  /** List the events of a transaction or a principal */
  get_filtered_events: { parameters: { "tx_id"?: string; "address"?: string; "limit"?: number; "offset"?: number; "cursor"?: string; "from_height"?: number; "to_height"?: number; "from_time"?: number; "to_time"?: number; "sender"?: string; "recipient"?: string; "contract"?: string; "function"?: string; "asset"?: "STX" | string; "event_type"?: ("stx_transfer" | "stx_mint" | "stx_burn" | "stx_lock" | "ft_transfer" | "ft_mint" | "ft_burn" | "nft_transfer" | "nft_mint" | "nft_burn" | "contract_log")[]; "min_amount"?: string; "metadata"?: boolean; "type"?: ("smart_contract_log" | "stx_lock" | "stx_asset" | "fungible_token_asset" | "non_fungible_token_asset")[] }; response: FilteredEventPage };
  /** List the holders of a token */
  get_ft_holders: { parameters: { "limit"?: number; "offset"?: number; "metadata"?: boolean; "token": string }; response: HolderPage };
  /** Get the metadata of a fungible token */
  get_ft_metadata: { parameters: { "locale"?: string; "principal": string }; response: FungibleTokenMetadata };
  /** List the holders of a fungible token */
  get_ft_token_holders: { parameters: { "limit"?: number; "cursor"?: string; "at_block"?: string; "metadata"?: boolean; "asset_identifier": string }; response: FtHolderList };
  /** Get the supply of a fungible token */
  get_ft_token_supply: { parameters: { "at_block"?: string; "metadata"?: boolean; "asset_identifier": string }; response: FtSupply };
  /** List the transfers of a token */
  get_ft_transfers: { parameters: { "limit"?: number; "cursor"?: string; "from_height"?: number; "to_height"?: number; "from_time"?: number; "to_time"?: number; "sender"?: string; "recipient"?: string; "function"?: string; "event_type"?: ("ft_transfer" | "ft_mint" | "ft_burn")[]; "min_amount"?: string; "token": string }; response: TokenMoveList };
  /** List fungible tokens */
  get_fungible_tokens: { parameters: { "name"?: string; "symbol"?: string; "address"?: string; "valid_metadata_only"?: boolean; "offset"?: number; "limit"?: number; "order_by"?: "name" | "symbol"; "order"?: "asc" | "desc" }; response: FungibleTokenMetadataPage };
  /** Get a zonefile of a name by hash */
  get_historical_zone_file: { parameters: { "unanchored"?: boolean; "name": string; "zoneFileHash": string }; response: Zonefile };
  /** Get the number of holders of STX or a token over time */
  get_holder_history: { parameters: { "from"?: string; "to"?: string; "points"?: number; "step"?: number; "asset"?: string }; response: HolderSeries };
  /** Get node information with all fields */
  get_info: { parameters: object; response: FullNodeInfo };
  /** Get what ingest did last */
  get_ingest_activity: { parameters: object; response: IngestActivity };
  /** Get the ingestion status */
  get_ingest_status: { parameters: object; response: IngestStatus };
  /** Get what principals are called */
  get_labels: { parameters: { "principal": (string)[] }; response: PrincipalLabelList };
  /** Get a map entry of a contract */
  get_map_entry: { parameters: { "address": string; "name": string; "map": string; body: string }; response: ClarityData };
  /** Get fee priorities */
  get_mempool_fee_priorities: { parameters: object; response: MempoolFeePriorities };
  /** Get the number of pending transactions over time */
  get_mempool_history: { parameters: { "from"?: string; "to"?: string; "points"?: number }; response: MempoolSeries };
  /** Get mempool statistics */
  get_mempool_summary: { parameters: object; response: MempoolSummary };
  /** List pending transactions */
  get_mempool_transaction_list: { parameters: { "sender_address"?: string; "recipient_address"?: string; "address"?: string; "order_by"?: "age" | "size" | "fee"; "order"?: "asc" | "desc"; "unanchored"?: boolean; "limit"?: number; "offset"?: number; "exclude_function_args"?: boolean; "include_state"?: boolean; "include_size"?: boolean }; response: MempoolTransactionPage };
  /** Get mempool statistics */
  get_mempool_transaction_stats: { parameters: object; response: MempoolStats };
  /** List pending transactions */
  get_mempool_transactions: { parameters: { "limit"?: number; "cursor"?: string }; response: MempoolTransactionSummaryList };
  /** Get the status of token metadata */
  get_metadata_status: { parameters: object; response: TokenMetadataStatus };
  /** Get a microblock */
  get_microblock_by_hash: { parameters: { "hash": string }; response: Microblock };
  /** List microblocks */
  get_microblock_list: { parameters: { "limit"?: number; "offset"?: number }; response: MicroblockPage };
  /** Check the availability of a name */
  get_name_availability: { parameters: { "name": string }; response: NameAvailability };
  /** Get a name */
  get_name_details: { parameters: { "at_block"?: string; "name": string }; response: NameDetails };
  /** List the changes of a name */
  get_name_history: { parameters: { "at_block"?: string; "limit"?: number; "cursor"?: string; "name": string }; response: NameChangePage };
  /** Get a name or a subdomain */
  get_name_info: { parameters: { "unanchored"?: boolean; "at_block"?: string; "name": string }; response: NameInfo };
  /** Get the price of a name */
  get_name_price: { parameters: { "name": string }; response: NamePrice };
  /** List the names of an account */
  get_names_of_owner: { parameters: { "at_block"?: string; "limit"?: number; "cursor"?: string; "principal": string }; response: NameChangePage };
  /** List the names of an address */
  get_names_owned_by_address: { parameters: { "unanchored"?: boolean; "blockchain": string; "address": string }; response: OwnedNames };
  /** Get a namespace */
  get_namespace_details: { parameters: { "at_block"?: string; "namespace": string }; response: NamespaceDetails };
  /** List the names of a namespace */
  get_namespace_names: { parameters: { "unanchored"?: boolean; "page"?: number; "tld": string }; response: NameArray };
  /** Get the price of a namespace */
  get_namespace_price: { parameters: { "tld": string }; response: NamePrice };
  /** Get the network */
  get_network: { parameters: object; response: NetworkStatus };
  /** Get the target block time of a network */
  get_network_block_time_by_network: { parameters: { "network": "mainnet" | "testnet" }; response: NetworkBlockTime };
  /** Get the target block times */
  get_network_block_times: { parameters: object; response: NetworkBlockTimes };
  /** List NFT collections */
  get_nft_collections: { parameters: { "limit"?: number; "cursor"?: string }; response: NftCollectionList };
  /** List the history of an NFT */
  get_nft_history: { parameters: { "asset_identifier": string; "value": string; "limit"?: number; "offset"?: number; "cursor"?: string; "from_height"?: number; "to_height"?: number; "from_time"?: number; "to_time"?: number; "sender"?: string; "recipient"?: string; "function"?: string; "event_type"?: ("nft_transfer" | "nft_mint" | "nft_burn")[]; "unanchored"?: boolean; "tx_metadata"?: boolean }; response: NftHistoryPage };
  /** List the holders of an NFT collection */
  get_nft_holders: { parameters: { "limit"?: number; "cursor"?: string; "at_block"?: string; "asset_identifier": string }; response: NftHolderList };
  /** List the NFTs of an account */
  get_nft_holdings: { parameters: { "principal": string; "asset_identifiers"?: (string)[]; "limit"?: number; "offset"?: number; "unanchored"?: boolean; "tx_metadata"?: boolean; "metadata"?: boolean }; response: NftHoldingPage };
  /** List the history of an NFT */
  get_nft_instance_history: { parameters: { "limit"?: number; "cursor"?: string; "asset_identifier": string; "value": string }; response: NftMoveList };
  /** Get the metadata of a non-fungible token */
  get_nft_metadata: { parameters: { "locale"?: string; "principal": string; "token_id": string }; response: NonFungibleTokenMetadata };
  /** List the mints of an NFT collection */
  get_nft_mints: { parameters: { "asset_identifier": string; "limit"?: number; "offset"?: number; "cursor"?: string; "from_height"?: number; "to_height"?: number; "from_time"?: number; "to_time"?: number; "recipient"?: string; "function"?: string; "unanchored"?: boolean; "tx_metadata"?: boolean }; response: NftMintPage };
  /** List the transfers of an NFT collection */
  get_nft_transfers: { parameters: { "limit"?: number; "cursor"?: string; "from_height"?: number; "to_height"?: number; "from_time"?: number; "to_time"?: number; "sender"?: string; "recipient"?: string; "function"?: string; "event_type"?: ("nft_transfer" | "nft_mint" | "nft_burn")[]; "asset_identifier": string }; response: CollectionMoveList };
  /** Get the balance and nonce of an account */
  get_node_account: { parameters: { "tip"?: string; "proof"?: string; "principal": string }; response: NodeAccount };
  /** Get the raw bytes of a block */
  get_node_block: { parameters: { "block_id": string }; response: Uint8Array };
  /** Get the interface of a contract */
  get_node_contract_interface: { parameters: { "tip"?: string; "proof"?: string; "address": string; "name": string }; response: NodeContractInterface };
  /** Get the source code of a contract */
  get_node_contract_source: { parameters: { "tip"?: string; "proof"?: string; "address": string; "name": string }; response: NodeContractSource };
  /** Get the health of a node */
  get_node_health: { parameters: object; response: { difference_from_max_peer: number; max_stacks_height_of_neighbors: number; node_stacks_tip_height: number } };
  /** Get node information */
  get_node_info: { parameters: object; response: NodeInfo };
  /** Get the status of the node pool */
  get_node_pool_status: { parameters: object; response: NodePoolStatus };
  /** Get PoX information */
  get_node_pox: { parameters: object; response: NodePox };
  /** Get the current tenure */
  get_node_tenure: { parameters: object; response: { consensus_hash: string; tenure_start_block_id: string; parent_consensus_hash: string; parent_tenure_start_block_id: string; tip_block_id: string; tip_height: number; reward_cycle: number } };
  /** List the members of a stacking pool */
  get_pool_delegations: { parameters: { "limit"?: number; "offset"?: number; "cursor"?: string; "after_block"?: number; "height"?: number; "unanchored"?: boolean; "pox": "pox2" | "pox3" | "pox4"; "pool_principal": string }; response: PoolDelegationPage };
  /** Get a PoX cycle */
  get_pox_cycle: { parameters: { "cycle_number": number }; response: PoxCycle };
  /** Get a signer of a PoX cycle */
  get_pox_cycle_signer: { parameters: { "cycle_number": number; "signer_key": string }; response: PoxSigner };
  /** List the stackers of a signer */
  get_pox_cycle_signer_stackers: { parameters: { "limit"?: number; "offset"?: number; "cursor"?: string; "cycle_number": number; "signer_key": string }; response: PoxStackerPage };
  /** List the signers of a PoX cycle */
  get_pox_cycle_signers: { parameters: { "limit"?: number; "offset"?: number; "cursor"?: string; "cycle_number": number }; response: PoxSignerPage };
  /** List PoX cycles */
  get_pox_cycles: { parameters: { "limit"?: number; "offset"?: number; "cursor"?: string }; response: PoxCyclePage };
  /** List the calls of a PoX contract */
  get_pox_events: { parameters: { "limit"?: number; "offset"?: number; "pox": "pox2" | "pox3" | "pox4" }; response: PoxEventPage };
  /** List the PoX calls of a stacker */
  get_pox_events_of_stacker: { parameters: { "pox": "pox2" | "pox3" | "pox4"; "principal": string }; response: PoxEvents };
  /** List the PoX calls of a transaction */
  get_pox_events_of_transaction: { parameters: { "pox": "pox2" | "pox3" | "pox4"; "tx_id": string }; response: PoxEvents };
  /** Get the primary name of an account */
  get_primary_name: { parameters: { "at_block"?: string; "principal": string }; response: PrimaryName };
  /** List the balance changes of several transactions */
  get_principal_balance_changes: { parameters: { "limit"?: number; "cursor"?: string; "tx_id": (string)[]; "principal": string }; response: TransactionBalanceChangeList };
  /** Get a fungible token balance of a principal */
  get_principal_balance_ft: { parameters: { "at_block"?: string; "principal": string; "asset_identifier": string }; response: PrincipalFtPosition };
  /** List the fungible token balances of a principal */
  get_principal_balances_ft: { parameters: { "limit"?: number; "cursor"?: string; "at_block"?: string; "metadata"?: boolean; "principal": string }; response: PrincipalFtPositionList };
  /** List the NFTs of a principal */
  get_principal_balances_nft: { parameters: { "limit"?: number; "cursor"?: string; "at_block"?: string; "metadata"?: boolean; "asset_identifier"?: string; "principal": string }; response: PrincipalNftPositionList };
  /** Get the STX balance of a principal */
  get_principal_balances_stx: { parameters: { "at_block"?: string; "principal": string }; response: PrincipalStxBalance };
  /** List the bond positions of a principal */
  get_principal_bond_positions: { parameters: { "limit"?: number; "cursor"?: string; "principal": string }; response: PrincipalBondPositionList };
  /** List the events of a principal */
  get_principal_events: { parameters: { "limit"?: number; "cursor"?: string; "from_height"?: number; "to_height"?: number; "from_time"?: number; "to_time"?: number; "sender"?: string; "recipient"?: string; "contract"?: string; "function"?: string; "asset"?: "STX" | string; "event_type"?: ("stx_transfer" | "stx_mint" | "stx_burn" | "stx_lock" | "ft_transfer" | "ft_mint" | "ft_burn" | "nft_transfer" | "nft_mint" | "nft_burn" | "contract_log")[]; "min_amount"?: string; "principal": string }; response: PrincipalEventList };
  /** Get a fungible token balance of a principal */
  get_principal_ft_balance: { parameters: { "at_block"?: string; "principal": string; "token": string }; response: Balance };
  /** List the fungible token balances of a principal */
  get_principal_ft_balances: { parameters: { "limit"?: number; "offset"?: number; "cursor"?: string; "at_block"?: string; "metadata"?: boolean; "principal": string }; response: TokenBalancePage };
  /** List the token transfers of a principal */
  get_principal_ft_transfers: { parameters: { "limit"?: number; "cursor"?: string; "from_height"?: number; "to_height"?: number; "from_time"?: number; "to_time"?: number; "sender"?: string; "recipient"?: string; "function"?: string; "min_amount"?: string; "principal": string; "asset_identifier": string }; response: PrincipalFtTransferList };
  /** List the pending transactions of a principal */
  get_principal_mempool_transactions: { parameters: { "limit"?: number; "cursor"?: string; "principal": string }; response: MempoolTransactionSummaryList };
  /** Get the mining totals of a principal */
  get_principal_mining: { parameters: { "principal": string }; response: PrincipalMining };
  /** List the mining rewards of a principal */
  get_principal_mining_rewards: { parameters: { "limit"?: number; "cursor"?: string; "principal": string }; response: MiningRewardList };
  /** Get the nonces of an account */
  get_principal_nonces: { parameters: { "at_block"?: string; "principal": string }; response: PrincipalNonces };
  /** List the staking rewards of a principal by cycle */
  get_principal_staking_rewards: { parameters: { "limit"?: number; "cursor"?: string; "signer"?: string; "unclaimed"?: boolean; "principal": string }; response: StakingCycleRewardList };
  /** Get the staking summary of a principal */
  get_principal_staking_summary: { parameters: { "principal": string }; response: PrincipalStakingSummary };
  /** Get the STX balance of a principal */
  get_principal_stx_balance: { parameters: { "at_block"?: string; "include_mempool"?: boolean; "principal": string }; response: StxHolding };
  /** List the incoming STX transfers of a principal */
  get_principal_stx_transfers_inbound: { parameters: { "limit"?: number; "cursor"?: string; "from_height"?: number; "to_height"?: number; "from_time"?: number; "to_time"?: number; "sender"?: string; "recipient"?: string; "function"?: string; "min_amount"?: string; "principal": string }; response: PrincipalStxTransferList };
  /** List the outgoing STX transfers of a principal */
  get_principal_stx_transfers_outbound: { parameters: { "limit"?: number; "cursor"?: string; "from_height"?: number; "to_height"?: number; "from_time"?: number; "to_time"?: number; "sender"?: string; "recipient"?: string; "function"?: string; "min_amount"?: string; "principal": string }; response: PrincipalStxTransferList };
  /** List the balance changes of a transaction */
  get_principal_transaction_balance_changes: { parameters: { "limit"?: number; "cursor"?: string; "principal": string; "tx_id": string }; response: BalanceChangeList };
  /** List the transactions of a principal */
  get_principal_transactions: { parameters: { "limit"?: number; "cursor"?: string; "from_height"?: number; "to_height"?: number; "from_time"?: number; "to_time"?: number; "sender"?: string; "recipient"?: string; "contract"?: string; "function"?: string; "status"?: "success" | "failed" | "abort_by_response" | "abort_by_post_condition" | "problematic_skipped"; "principal": string }; response: PrincipalTransactionList };
  /** Get the raw bytes of a transaction */
  get_raw_transaction_by_id: { parameters: { "event_limit"?: number; "event_offset"?: number; "tx_id": string }; response: RawTransaction };
  /** Get the limits of requests */
  get_request_limits: { parameters: object; response: RequestLimits };
  /** Get a deposit of sBTC */
  get_sbtc_deposit: { parameters: { "output": string }; response: SbtcDeposit };
  /** List deposits of sBTC */
  get_sbtc_deposits: { parameters: { "limit"?: number; "cursor"?: string; "recipient"?: string; "min_amount"?: number; "exclude_staking"?: boolean }; response: SbtcDepositList };
  /** List the key rotations of sBTC */
  get_sbtc_key_rotations: { parameters: { "limit"?: number; "cursor"?: string }; response: SbtcKeyRotationList };
  /** List the deposits and withdrawals of an account */
  get_sbtc_principal: { parameters: { "limit"?: number; "cursor"?: string; "principal": string }; response: SbtcMovementList };
  /** Get the state of sBTC */
  get_sbtc_summary: { parameters: object; response: SbtcSummary };
  /** Get a withdrawal of sBTC */
  get_sbtc_withdrawal: { parameters: { "request_id": number }; response: SbtcWithdrawal };
  /** List withdrawals of sBTC */
  get_sbtc_withdrawals: { parameters: { "limit"?: number; "cursor"?: string; "status"?: "pending" | "accepted" | "rejected"; "sender"?: string; "address"?: string }; response: SbtcWithdrawalList };
  /** Get the metadata of a semi-fungible token */
  get_sft_metadata: { parameters: { "locale"?: string; "principal": string; "token_id": string }; response: SemiFungibleTokenMetadata };
  /** Get a block with the votes of its signers */
  get_signed_block: { parameters: { "height_or_hash": "latest" | string | number }; response: SignedBlock };
  /** List blocks with the votes of their signers */
  get_signed_blocks: { parameters: { "limit"?: number; "offset"?: number; "cursor"?: string }; response: SignedBlockPage };
  /** Get a signer of a cycle with its metrics */
  get_signer_for_cycle: { parameters: { "from"?: string; "to"?: string; "cycle_number": number; "signer_key": string }; response: SignerMetricsSigner };
  /** Get the status of the signer metrics */
  get_signer_metrics_status: { parameters: object; response: SignerMetricsStatus };
  /** List the signer signatures of a block */
  get_signer_signatures_for_block: { parameters: { "limit"?: number; "offset"?: number; "cursor"?: string; "height_or_hash": "latest" | string | number }; response: SignerSignaturePage };
  /** List the signers of a cycle with their metrics */
  get_signers_for_cycle: { parameters: { "from"?: string; "to"?: string; "limit"?: number; "offset"?: number; "cycle_number": number }; response: SignerMetricsSignerPage };
  /** Get a transaction of an account with its STX transfers. @deprecated */
  get_single_transaction_with_transfers: { parameters: { "principal": string; "tx_id": string }; response: AddressTransactionWithStx };
  /** Get a contract */
  get_smart_contract: { parameters: { "include"?: ("source_code")[]; "contract_id": string }; response: DeployedContract };
  /** List the logs of a contract */
  get_smart_contract_logs: { parameters: { "limit"?: number; "offset"?: number; "cursor"?: string; "from_height"?: number; "to_height"?: number; "from_time"?: number; "to_time"?: number; "sender"?: string; "function"?: string; "topic"?: string; "contract_id": string }; response: ContractLogPage };
  /** Get the deployment status of contracts */
  get_smart_contracts_status: { parameters: { "contract_id": (string)[] | string; "at_block"?: string }; response: { [key: string]: ContractStatus } };
  /** Get a staking cycle */
  get_staking_cycle: { parameters: { "cycle_number": string }; response: StakingCycle };
  /** Get the staking overview */
  get_staking_overview: { parameters: object; response: StakingOverview };
  /** Get the staking reward totals */
  get_staking_rewards: { parameters: object; response: StakingRewardTotals };
  /** Get a signer manager */
  get_staking_signer: { parameters: { "principal": string }; response: StakingSignerDetail };
  /** List what a signer manager printed */
  get_staking_signer_events: { parameters: { "limit"?: number; "cursor"?: string; "principal": string }; response: SignerManagerEventList };
  /** List the stakers of a signer */
  get_staking_signer_stakers: { parameters: { "limit"?: number; "cursor"?: string; "cycle"?: string; "include"?: "past"; "principal": string }; response: SignerStakerList };
  /** List signer managers */
  get_staking_signers: { parameters: { "limit"?: number; "cursor"?: string }; response: StakingSignerList };
  /** Get the status */
  get_status: { parameters: object; response: ServerStatus };
  /** Stream the chain as Server-Sent Events */
  get_stream: { parameters: { "topics"?: ("blocks" | "transactions" | "mempool" | "events" | "transfers" | "contract_logs" | "sbtc")[]; "principal"?: string; "contract"?: string; "asset"?: "STX" | string; "function"?: string; "event_type"?: ("stx_transfer" | "stx_mint" | "stx_burn" | "stx_lock" | "ft_transfer" | "ft_mint" | "ft_burn" | "nft_transfer" | "nft_mint" | "nft_burn" | "contract_log")[]; "after"?: string; "from_height"?: number }; response: string };
  /** Read the stream in pages */
  get_stream_page: { parameters: { "topics"?: ("blocks" | "transactions" | "mempool" | "events" | "transfers" | "contract_logs" | "sbtc")[]; "principal"?: string; "contract"?: string; "asset"?: "STX" | string; "function"?: string; "event_type"?: ("stx_transfer" | "stx_mint" | "stx_burn" | "stx_lock" | "ft_transfer" | "ft_mint" | "ft_burn" | "nft_transfer" | "nft_mint" | "nft_burn" | "contract_log")[]; "after"?: string; "from_height"?: number; "limit"?: number }; response: StreamPage };
  /** Get the newest position */
  get_stream_tip: { parameters: object; response: StreamTip };
  /** Get the STX supply */
  get_stx_supply: { parameters: { "at_block"?: string; "height"?: number; "unanchored"?: boolean }; response: StxSupply };
  /** Get the circulating STX supply as plain text. @deprecated */
  get_stx_supply_circulating_plain: { parameters: object; response: string };
  /** Get the total STX supply as plain text. @deprecated */
  get_stx_supply_total_supply_plain: { parameters: object; response: string };
  /** List the holders of STX */
  get_stx_token_holders: { parameters: { "limit"?: number; "cursor"?: string; "at_block"?: string }; response: TokenHolderList };
  /** Get the STX supply */
  get_stx_total_supply: { parameters: { "at_block"?: string }; response: StxTotalSupply };
  /** Get the supply of STX or a token over time */
  get_supply_history: { parameters: { "from"?: string; "to"?: string; "points"?: number; "step"?: number; "asset"?: string }; response: SupplySeries };
  /** List the blocks of a tenure */
  get_tenure_blocks: { parameters: { "limit"?: number; "offset"?: number; "cursor"?: string; "tenure_height": number }; response: NakamotoBlockPage };
  /** Get the STX supply in the legacy format. @deprecated */
  get_total_stx_supply_legacy_format: { parameters: { "at_block"?: string; "height"?: number; "unanchored"?: boolean }; response: LegacyStxSupply };
  /** Get a transaction */
  get_transaction: { parameters: { "include"?: ("function_args" | "source_code" | "post_conditions" | "result")[]; "tx_id": string }; response: TransactionDetail | MempoolTransactionDetail };
  /** Get a transaction */
  get_transaction_by_id: { parameters: { "event_limit"?: number; "event_offset"?: number; "unanchored"?: boolean; "exclude_function_args"?: boolean; "include_state"?: boolean; "tx_id": string }; response: Transaction | MempoolTransaction };
  /** Diagnose a transaction */
  get_transaction_diagnosis: { parameters: { "tx_id": string }; response: TransactionDiagnosis };
  /** List the events of a transaction */
  get_transaction_events: { parameters: { "limit"?: number; "cursor"?: string; "tx_id": string }; response: ListedEventList };
  /** Get the number of transactions over time */
  get_transaction_history: { parameters: { "from"?: string; "to"?: string; "points"?: number; "step"?: number }; response: TransactionSeries };
  /** List transactions */
  get_transaction_list: { parameters: { "limit"?: number; "offset"?: number; "cursor"?: string; "from_height"?: number; "to_height"?: number; "from_time"?: number; "to_time"?: number; "sender"?: string; "recipient"?: string; "contract"?: string; "function"?: string; "status"?: "pending" | "success" | "failed" | "abort_by_response" | "abort_by_post_condition" | "problematic_skipped"; "type"?: ("token_transfer" | "smart_contract" | "contract_call" | "poison_microblock" | "coinbase" | "tenure_change")[]; "unanchored"?: boolean; "order"?: "asc" | "desc"; "sort_by"?: "block_height" | "burn_block_time" | "fee"; "from_address"?: string; "to_address"?: string; "start_time"?: number; "end_time"?: number; "contract_id"?: string; "function_name"?: string; "nonce"?: number; "exclude_function_args"?: boolean; "include_state"?: boolean }; response: FilteredTransactionPage };
  /** Get a proof that a block holds a transaction */
  get_transaction_proof: { parameters: { "tx_id": string }; response: TransactionProof };
  /** Get what a transaction did in one sentence */
  get_transaction_summary: { parameters: { "tx_id": string }; response: TransactionSentence };
  /** List transactions */
  get_transactions: { parameters: { "limit"?: number; "cursor"?: string; "from_height"?: number; "to_height"?: number; "from_time"?: number; "to_time"?: number; "sender"?: string; "recipient"?: string; "contract"?: string; "function"?: string; "status"?: "success" | "failed" | "abort_by_response" | "abort_by_post_condition" | "problematic_skipped" }; response: FilteredTransactionSummaryList };
  /** Get several transactions */
  get_transactions_batch: { parameters: { "tx_id": (string)[] }; response: TransactionBatch };
  /** List the transactions of a block */
  get_transactions_by_block: { parameters: { "limit"?: number; "offset"?: number; "cursor"?: string; "exclude_function_args"?: boolean; "sender"?: string; "recipient"?: string; "contract"?: string; "function"?: string; "status"?: "success" | "failed" | "abort_by_response" | "abort_by_post_condition" | "problematic_skipped"; "height_or_hash": "latest" | string | number }; response: FilteredTransactionPage };
  /** List the transactions of a block by hash. @deprecated */
  get_transactions_by_block_hash: { parameters: { "limit"?: number; "offset"?: number; "cursor"?: string; "exclude_function_args"?: boolean; "block_hash": string }; response: TransactionPage };
  /** List the transactions of a block by height. @deprecated */
  get_transactions_by_block_height: { parameters: { "limit"?: number; "offset"?: number; "cursor"?: string; "exclude_function_args"?: boolean; "height": number }; response: TransactionPage };
  /** Get the fee rate of transfers */
  get_transfer_fee: { parameters: object; response: TransferFeeRate };
  /** Get several transactions */
  get_tx_list_details: { parameters: { "tx_id": (string)[]; "event_limit"?: number; "event_offset"?: number; "unanchored"?: boolean; "exclude_function_args"?: boolean; "include_state"?: boolean }; response: { [key: string]: { found: true; result: Transaction | MempoolTransaction } | { found: false; result: { tx_id: string } } } };
  /** List the transactions of unconfirmed microblocks */
  get_unanchored_txs: { parameters: object; response: UnanchoredTransactions };
  /** Get the status of the webhooks */
  get_webhooks_status: { parameters: object; response: WebhooksStatus };
  /** Get many responses of one state */
  post_batch: { parameters: { body: { requests: ({ path: string })[] } }; response: BatchResults };
  /** Register a chainhook */
  register_chainhook: { parameters: { body: ChainhookDefinition }; response: Chainhook };
  /** Resolve a name of version 2 */
  resolve_bns_v2_name: { parameters: { "name": string }; response: BnsV2Zonefile };
  /** Get the balance of an account */
  rosetta_account_balance: { parameters: { body: RosettaBalanceRequest }; response: RosettaBalance };
  /** Get a block */
  rosetta_block: { parameters: { body: RosettaBlockRequest }; response: RosettaBlockResponse };
  /** Get a transaction of a block */
  rosetta_block_transaction: { parameters: { body: RosettaBlockTransactionRequest }; response: RosettaTransactionResponse };
  /** Call a method */
  rosetta_call: { parameters: { body: RosettaCallRequest }; response: RosettaCallResponse };
  /** Combine a transaction and its signature */
  rosetta_construction_combine: { parameters: { body: RosettaCombineRequest }; response: RosettaCombined };
  /** Derive an address from a public key */
  rosetta_construction_derive: { parameters: { body: RosettaDeriveRequest }; response: RosettaDerived };
  /** Get the hash of a signed transaction */
  rosetta_construction_hash: { parameters: { body: RosettaSignedTransactionRequest }; response: RosettaTransactionHash };
  /** Get the metadata for a transaction */
  rosetta_construction_metadata: { parameters: { body: RosettaMetadataRequest }; response: RosettaMetadata };
  /** Parse a transaction */
  rosetta_construction_parse: { parameters: { body: RosettaParseRequest }; response: RosettaParsed };
  /** Create an unsigned transaction */
  rosetta_construction_payloads: { parameters: { body: RosettaPayloadsRequest }; response: RosettaPayloads };
  /** Preprocess operations */
  rosetta_construction_preprocess: { parameters: { body: RosettaPreprocessRequest }; response: RosettaPreprocessed };
  /** Submit a signed transaction */
  rosetta_construction_submit: { parameters: { body: RosettaSignedTransactionRequest }; response: RosettaTransactionHash };
  /** List block events */
  rosetta_events_blocks: { parameters: { body: RosettaEventsRequest }; response: RosettaEvents };
  /** List pending transactions */
  rosetta_mempool: { parameters: { body: RosettaNetworkRequest }; response: RosettaMempool };
  /** Get a pending transaction */
  rosetta_mempool_transaction: { parameters: { body: RosettaMempoolTransactionRequest }; response: RosettaMempoolTransactionResponse };
  /** List networks */
  rosetta_network_list: { parameters: { body: unknown }; response: RosettaNetworkList };
  /** Get the network options */
  rosetta_network_options: { parameters: { body: RosettaNetworkRequest }; response: RosettaNetworkOptions };
  /** Get the network status */
  rosetta_network_status: { parameters: { body: RosettaNetworkRequest }; response: RosettaNetworkStatus };
  /** Search transactions */
  rosetta_search_transactions: { parameters: { body: RosettaSearchRequest }; response: RosettaSearchResponse };
  /** Make a new secret */
  rotate_chainhooks_secret: { parameters: object; response: ChainhookSecret };
  /** Request testnet bitcoin */
  run_btc_faucet: { parameters: { body: { address: string } }; response: { transaction: { tx_id: string; chain: "bitcoin" }; amount: { btc: string } } };
  /** Request testnet bitcoin */
  run_faucet_btc: { parameters: { "address"?: string; "large"?: boolean; "xlarge"?: boolean; body: { address?: string } | null }; response: BitcoinFaucetGift };
  /** Request testnet sBTC */
  run_faucet_sbtc: { parameters: { "address"?: string }; response: FaucetGift };
  /** Request testnet STX */
  run_faucet_stx: { parameters: { "address"?: string; "stacking"?: boolean }; response: FaucetGift };
  /** Request testnet sBTC */
  run_sbtc_faucet: { parameters: { body: { address: string } }; response: { transaction: { tx_id: string; chain: "stacks" }; amount: { sbtc: string } } };
  /** Request testnet STX */
  run_stx_faucet: { parameters: { body: { address: string } }; response: { transaction: { tx_id: string; chain: "stacks" }; amount: { stx: string } } };
  /** Search */
  search: { parameters: { "q": string; "type"?: ("block" | "bitcoin_block" | "transaction" | "address" | "smart_contract" | "token")[] }; response: SearchHits };
  /** Look up a hash, an address or a contract */
  search_by_id: { parameters: { "include_metadata"?: boolean; "id": string }; response: SearchFound };
  /** Search by what people type */
  search_ranked: { parameters: { "q": string }; response: FoundList };
  /** Get the metadata of several tokens */
  search_token_metadata: { parameters: { "contract": (string)[]; "locale"?: string }; response: FoundTokenMetadataList };
  /** Simulate a transaction */
  simulate_transaction: { parameters: { body: SimulationRequest }; response: TransactionSimulation };
  /** Change a chainhook */
  update_chainhook: { parameters: { "uuid": string; body: ChainhookDefinitionChange }; response: Chainhook };
};

/** Method, path and names of the query of each operation; a list that is sent with commas has one behind its name. */
export const requests: Readonly<Record<keyof Operations, string>> = {
  broadcast_transaction: "POST /v2/transactions",
  call_contract_function: "POST /extended/v1/contract/{contract_id}/call/{function}",
  call_read_only: "POST /v2/contracts/call-read/{address}/{name}/{function}",
  call_read_only_by_contract_id: "POST /v2/contracts/call-read/{contract}/{function}",
  delete_chainhook: "DELETE /chainhooks/me/{uuid}",
  delete_chainhooks_secret: "DELETE /chainhooks/me/secret",
  download_account_history: "GET /extended/v1/history/transactions/{principal} from to",
  enable_chainhook: "PATCH /chainhooks/me/{uuid}/enabled",
  enable_chainhooks: "PATCH /chainhooks/me/enabled",
  estimate_fee: "POST /v2/fees/transaction",
  evaluate_chainhook: "POST /chainhooks/me/{uuid}/evaluate",
  export_account_events: "GET /extended/v1/history/accounts/{principal}/events format at_block after from_height to_height from_time to_time sender recipient contract function asset event_type, min_amount",
  export_account_movements: "GET /extended/v1/history/accounts/{principal}/movements format at_block after from_height to_height from_time to_time sender recipient contract function asset event_type, min_amount",
  export_account_transactions: "GET /extended/v1/history/accounts/{principal}/transactions format at_block after from_height to_height from_time to_time sender recipient contract function status",
  export_account_transfers: "GET /extended/v1/history/accounts/{principal}/transfers format at_block after from_height to_height from_time to_time sender recipient contract function asset event_type, min_amount",
  export_contract_logs: "GET /extended/v1/history/contracts/{contract_id}/logs format at_block after from_height to_height from_time to_time topic",
  export_events: "GET /extended/v1/history/lists/events format at_block after from_height to_height from_time to_time event_type,",
  export_token_holders: "GET /extended/v1/history/tokens/{asset_identifier}/holders format at_block after",
  export_token_transfers: "GET /extended/v1/history/tokens/{asset_identifier}/transfers format at_block after from_height to_height from_time to_time sender recipient function event_type, min_amount",
  export_transactions: "GET /extended/v1/history/lists/transactions format at_block after from_height to_height from_time to_time status",
  export_transfers: "GET /extended/v1/history/lists/transfers format at_block after from_height to_height from_time to_time event_type,",
  fetch_fee_rate: "POST /extended/v1/fee_rate/",
  fetch_subdomains_list_for_name: "GET /v1/names/{name}/subdomains unanchored",
  fetch_zone_file: "GET /v1/names/{name}/zonefile unanchored",
  get_account_assets: "GET /extended/v1/address/{principal}/assets limit offset cursor unanchored at_block until_block metadata",
  get_account_balance: "GET /extended/v1/address/{principal}/balances unanchored at_block until_block metadata",
  get_account_inbound: "GET /extended/v1/address/{principal}/stx_inbound limit offset cursor unanchored at_block until_block height from_height to_height from_time to_time sender recipient function min_amount",
  get_account_nonce_chain: "GET /extended/v1/address/{principal}/mempool/nonces",
  get_account_nonces: "GET /extended/v1/address/{principal}/nonces block_height block_hash at_block",
  get_account_stx_balance: "GET /extended/v1/address/{principal}/stx unanchored at_block until_block",
  get_account_transactions: "GET /extended/v1/address/{principal}/transactions limit offset cursor from_height to_height from_time to_time sender recipient contract function status unanchored at_block until_block height exclude_function_args",
  get_account_transactions_with_transfers: "GET /extended/v1/address/{principal}/transactions_with_transfers limit offset cursor unanchored at_block until_block height",
  get_address_mempool_transactions: "GET /extended/v1/address/{principal}/mempool limit offset unanchored exclude_function_args",
  get_address_transaction_events: "GET /extended/v2/addresses/{address}/transactions/{tx_id}/events limit offset cursor",
  get_address_transactions: "GET /extended/v2/addresses/{address}/transactions limit offset cursor exclude_function_args from_height to_height from_time to_time sender recipient contract function status",
  get_all_names: "GET /v1/names/ unanchored page",
  get_all_namespaces: "GET /v1/namespaces/ unanchored",
  get_audit: "GET /extended/v1/status/audit",
  get_average_block_times: "GET /extended/v2/blocks/average-times",
  get_balance_history: "GET /extended/v1/history/balances/{principal} from to points step asset",
  get_bitcoin_status: "GET /bitcoin/v1",
  get_block: "GET /extended/v2/blocks/{height_or_hash}",
  get_block_by_block_time: "GET /extended/v2/blocks/by-block-time/{timestamp}",
  get_block_by_burn_block_hash: "GET /extended/v1/block/by_burn_block_hash/{burn_block_hash}",
  get_block_by_burn_block_height: "GET /extended/v1/block/by_burn_block_height/{burn_block_height}",
  get_block_by_hash: "GET /extended/v1/block/{hash}",
  get_block_by_height: "GET /extended/v1/block/by_height/{height}",
  get_block_list: "GET /extended/v1/block/ limit offset cursor",
  get_block_proposal: "GET /signer-metrics/v1/block_proposals/{block_hash}",
  get_block_proposals: "GET /signer-metrics/v1/block_proposals limit offset",
  get_block_transactions: "GET /extended/v3/blocks/{height_or_hash}/transactions limit cursor",
  get_blocks: "GET /extended/v2/blocks/ limit offset cursor",
  get_blocks_by_burn_block: "GET /extended/v2/burn-blocks/{height_or_hash}/blocks limit offset cursor",
  get_bns_v2_name: "GET /bns/v2/names/{name}",
  get_bns_v2_valid_names: "GET /bns/v2/names/address/{principal}/valid limit offset",
  get_bond: "GET /extended/v3/staking/bonds/{bond_index}",
  get_bond_allowlist_entries: "GET /extended/v3/staking/bonds/{bond_index}/allowlist limit cursor",
  get_bond_allowlist_entry: "GET /extended/v3/staking/bonds/{bond_index}/allowlist/{principal}",
  get_bond_events: "GET /extended/v3/staking/bonds/{bond_index}/events limit cursor",
  get_bond_registration: "GET /extended/v3/staking/bonds/{bond_index}/registrations/{principal}",
  get_bond_registrations: "GET /extended/v3/staking/bonds/{bond_index}/registrations limit cursor",
  get_bonds: "GET /extended/v3/staking/bonds limit cursor",
  get_btc_balance: "GET /extended/v1/faucets/btc/{address}",
  get_burn_block: "GET /extended/v2/burn-blocks/{height_or_hash}",
  get_burn_block_pox_transactions: "GET /extended/v2/burn-blocks/{height_or_hash}/pox-transactions limit offset include",
  get_burn_blocks: "GET /extended/v2/burn-blocks/ limit offset",
  get_burnchain_address_pox_transactions: "GET /extended/v2/addresses/{burnchain_address}/pox-transactions limit offset include",
  get_burnchain_reward_list: "GET /extended/v1/burnchain/rewards limit offset",
  get_burnchain_reward_list_by_address: "GET /extended/v1/burnchain/rewards/{address} limit offset",
  get_burnchain_reward_slot_holders: "GET /extended/v1/burnchain/reward_slot_holders limit offset",
  get_burnchain_reward_slot_holders_by_address: "GET /extended/v1/burnchain/reward_slot_holders/{address} limit offset",
  get_burnchain_rewards_total_by_address: "GET /extended/v1/burnchain/rewards/{address}/total",
  get_chainhook: "GET /chainhooks/me/{uuid}",
  get_chainhooks: "GET /chainhooks/me limit offset",
  get_chainhooks_secret: "GET /chainhooks/me/secret",
  get_chainhooks_status: "GET /chainhooks",
  get_contract_by_id: "GET /extended/v1/contract/{contract_id}",
  get_contract_events_by_id: "GET /extended/v1/contract/{contract_id}/events limit offset cursor from_height to_height from_time to_time sender function topic",
  get_contract_print_schema: "GET /extended/v1/contract/{contract_id}/print-schema at_block",
  get_contracts_by_trait: "GET /extended/v1/contract/by_trait trait_abi limit offset",
  get_cycle_signers: "GET /extended/v3/staking/cycles/{cycle_number}/signers limit cursor",
  get_data_variable: "GET /v2/data_var/{address}/{name}/{variable} tip proof",
  get_database_status: "GET /extended/v1/status/database",
  get_dropped_mempool_transaction_list: "GET /extended/v1/tx/mempool/dropped limit offset",
  get_expiring_names: "GET /extended/v1/names/expiring version within limit cursor",
  get_fee_history: "GET /extended/v1/history/fees from to points step",
  get_feeds_status: "GET /extended/v1/status/feeds",
  get_filtered_events: "GET /extended/v1/tx/events tx_id address limit offset cursor from_height to_height from_time to_time sender recipient contract function asset event_type, min_amount metadata type,",
  get_ft_holders: "GET /extended/v1/tokens/ft/{token}/holders limit offset metadata",
  get_ft_metadata: "GET /metadata/v1/ft/{principal} locale",
  get_ft_token_holders: "GET /extended/v3/tokens/ft/{asset_identifier}/holders limit cursor at_block metadata",
  get_ft_token_supply: "GET /extended/v3/tokens/ft/{asset_identifier}/supply at_block metadata",
  get_ft_transfers: "GET /extended/v1/tokens/ft/{token}/transfers limit cursor from_height to_height from_time to_time sender recipient function event_type, min_amount",
  get_fungible_tokens: "GET /metadata/v1/ft name symbol address valid_metadata_only offset limit order_by order",
  get_historical_zone_file: "GET /v1/names/{name}/zonefile/{zoneFileHash} unanchored",
  get_holder_history: "GET /extended/v1/history/holders from to points step asset",
  get_info: "GET /extended/v2/info",
  get_ingest_activity: "GET /extended/v1/status/activity",
  get_ingest_status: "GET /extended/v1/status/ingest",
  get_labels: "GET /extended/v1/labels principal,",
  get_map_entry: "POST /v2/map_entry/{address}/{name}/{map}",
  get_mempool_fee_priorities: "GET /extended/v2/mempool/fees",
  get_mempool_history: "GET /extended/v1/history/mempool from to points",
  get_mempool_summary: "GET /extended/v3/mempool",
  get_mempool_transaction_list: "GET /extended/v1/tx/mempool sender_address recipient_address address order_by order unanchored limit offset exclude_function_args include_state include_size",
  get_mempool_transaction_stats: "GET /extended/v1/tx/mempool/stats",
  get_mempool_transactions: "GET /extended/v3/mempool/transactions limit cursor",
  get_metadata_status: "GET /metadata/v1",
  get_microblock_by_hash: "GET /extended/v1/microblock/{hash}",
  get_microblock_list: "GET /extended/v1/microblock/ limit offset",
  get_name_availability: "GET /extended/v1/names/{name}/availability",
  get_name_details: "GET /extended/v1/names/{name} at_block",
  get_name_history: "GET /extended/v1/names/{name}/history at_block limit cursor",
  get_name_info: "GET /v1/names/{name} unanchored at_block",
  get_name_price: "GET /v2/prices/names/{name}",
  get_names_of_owner: "GET /extended/v1/names/by-owner/{principal} at_block limit cursor",
  get_names_owned_by_address: "GET /v1/addresses/{blockchain}/{address} unanchored",
  get_namespace_details: "GET /extended/v1/namespaces/{namespace} at_block",
  get_namespace_names: "GET /v1/namespaces/{tld}/names unanchored page",
  get_namespace_price: "GET /v2/prices/namespaces/{tld}",
  get_network: "GET /extended/v1/status/network",
  get_network_block_time_by_network: "GET /extended/v1/info/network_block_time/{network}",
  get_network_block_times: "GET /extended/v1/info/network_block_times",
  get_nft_collections: "GET /extended/v1/tokens/nft/collections limit cursor",
  get_nft_history: "GET /extended/v1/tokens/nft/history asset_identifier value limit offset cursor from_height to_height from_time to_time sender recipient function event_type, unanchored tx_metadata",
  get_nft_holders: "GET /extended/v1/tokens/nft/{asset_identifier}/holders limit cursor at_block",
  get_nft_holdings: "GET /extended/v1/tokens/nft/holdings principal asset_identifiers, limit offset unanchored tx_metadata metadata",
  get_nft_instance_history: "GET /extended/v3/tokens/nft/{asset_identifier}/{value}/history limit cursor",
  get_nft_metadata: "GET /metadata/v1/nft/{principal}/{token_id} locale",
  get_nft_mints: "GET /extended/v1/tokens/nft/mints asset_identifier limit offset cursor from_height to_height from_time to_time recipient function unanchored tx_metadata",
  get_nft_transfers: "GET /extended/v1/tokens/nft/{asset_identifier}/transfers limit cursor from_height to_height from_time to_time sender recipient function event_type,",
  get_node_account: "GET /v2/accounts/{principal} tip proof",
  get_node_block: "GET /v3/blocks/{block_id}",
  get_node_contract_interface: "GET /v2/contracts/interface/{address}/{name} tip proof",
  get_node_contract_source: "GET /v2/contracts/source/{address}/{name} tip proof",
  get_node_health: "GET /v3/health",
  get_node_info: "GET /v2/info",
  get_node_pool_status: "GET /extended/v1/status/nodes",
  get_node_pox: "GET /v2/pox",
  get_node_tenure: "GET /v3/tenures/info",
  get_pool_delegations: "GET /extended/v1/{pox}/{pool_principal}/delegations limit offset cursor after_block height unanchored",
  get_pox_cycle: "GET /extended/v2/pox/cycles/{cycle_number}",
  get_pox_cycle_signer: "GET /extended/v2/pox/cycles/{cycle_number}/signers/{signer_key}",
  get_pox_cycle_signer_stackers: "GET /extended/v2/pox/cycles/{cycle_number}/signers/{signer_key}/stackers limit offset cursor",
  get_pox_cycle_signers: "GET /extended/v2/pox/cycles/{cycle_number}/signers limit offset cursor",
  get_pox_cycles: "GET /extended/v2/pox/cycles limit offset cursor",
  get_pox_events: "GET /extended/v1/{pox}/events limit offset",
  get_pox_events_of_stacker: "GET /extended/v1/{pox}/stacker/{principal}",
  get_pox_events_of_transaction: "GET /extended/v1/{pox}/tx/{tx_id}",
  get_primary_name: "GET /extended/v1/names/by-owner/{principal}/primary at_block",
  get_principal_balance_changes: "GET /extended/v3/principals/{principal}/balance-changes limit cursor tx_id,",
  get_principal_balance_ft: "GET /extended/v3/principals/{principal}/balances/ft/{asset_identifier} at_block",
  get_principal_balances_ft: "GET /extended/v3/principals/{principal}/balances/ft limit cursor at_block metadata",
  get_principal_balances_nft: "GET /extended/v3/principals/{principal}/balances/nft limit cursor at_block metadata asset_identifier",
  get_principal_balances_stx: "GET /extended/v3/principals/{principal}/balances/stx at_block",
  get_principal_bond_positions: "GET /extended/v3/principals/{principal}/staking/bonds limit cursor",
  get_principal_events: "GET /extended/v3/principals/{principal}/events limit cursor from_height to_height from_time to_time sender recipient contract function asset event_type, min_amount",
  get_principal_ft_balance: "GET /extended/v2/addresses/{principal}/balances/ft/{token} at_block",
  get_principal_ft_balances: "GET /extended/v2/addresses/{principal}/balances/ft limit offset cursor at_block metadata",
  get_principal_ft_transfers: "GET /extended/v3/principals/{principal}/transfers/ft/{asset_identifier} limit cursor from_height to_height from_time to_time sender recipient function min_amount",
  get_principal_mempool_transactions: "GET /extended/v3/principals/{principal}/mempool/transactions limit cursor",
  get_principal_mining: "GET /extended/v3/principals/{principal}/mining",
  get_principal_mining_rewards: "GET /extended/v3/principals/{principal}/mining/rewards limit cursor",
  get_principal_nonces: "GET /extended/v3/principals/{principal}/nonces at_block",
  get_principal_staking_rewards: "GET /extended/v3/principals/{principal}/staking/rewards limit cursor signer unclaimed",
  get_principal_staking_summary: "GET /extended/v3/principals/{principal}/staking",
  get_principal_stx_balance: "GET /extended/v2/addresses/{principal}/balances/stx at_block include_mempool",
  get_principal_stx_transfers_inbound: "GET /extended/v3/principals/{principal}/transfers/stx/inbound limit cursor from_height to_height from_time to_time sender recipient function min_amount",
  get_principal_stx_transfers_outbound: "GET /extended/v3/principals/{principal}/transfers/stx/outbound limit cursor from_height to_height from_time to_time sender recipient function min_amount",
  get_principal_transaction_balance_changes: "GET /extended/v3/principals/{principal}/transactions/{tx_id}/balance-changes limit cursor",
  get_principal_transactions: "GET /extended/v3/principals/{principal}/transactions limit cursor from_height to_height from_time to_time sender recipient contract function status",
  get_raw_transaction_by_id: "GET /extended/v1/tx/{tx_id}/raw event_limit event_offset",
  get_request_limits: "GET /extended/v1/status/limits",
  get_sbtc_deposit: "GET /extended/v1/sbtc/deposits/{output}",
  get_sbtc_deposits: "GET /extended/v1/sbtc/deposits limit cursor recipient min_amount exclude_staking",
  get_sbtc_key_rotations: "GET /extended/v1/sbtc/key-rotations limit cursor",
  get_sbtc_principal: "GET /extended/v1/sbtc/principals/{principal} limit cursor",
  get_sbtc_summary: "GET /extended/v1/sbtc/summary",
  get_sbtc_withdrawal: "GET /extended/v1/sbtc/withdrawals/{request_id}",
  get_sbtc_withdrawals: "GET /extended/v1/sbtc/withdrawals limit cursor status sender address",
  get_sft_metadata: "GET /metadata/v1/sft/{principal}/{token_id} locale",
  get_signed_block: "GET /signer-metrics/v1/blocks/{height_or_hash}",
  get_signed_blocks: "GET /signer-metrics/v1/blocks limit offset cursor",
  get_signer_for_cycle: "GET /signer-metrics/v1/cycles/{cycle_number}/signers/{signer_key} from to",
  get_signer_metrics_status: "GET /signer-metrics",
  get_signer_signatures_for_block: "GET /extended/v2/blocks/{height_or_hash}/signer-signatures limit offset cursor",
  get_signers_for_cycle: "GET /signer-metrics/v1/cycles/{cycle_number}/signers from to limit offset",
  get_single_transaction_with_transfers: "GET /extended/v1/address/{principal}/{tx_id}/with_transfers",
  get_smart_contract: "GET /extended/v3/smart-contracts/{contract_id} include,",
  get_smart_contract_logs: "GET /extended/v2/smart-contracts/{contract_id}/logs limit offset cursor from_height to_height from_time to_time sender function topic",
  get_smart_contracts_status: "GET /extended/v2/smart-contracts/status contract_id at_block",
  get_staking_cycle: "GET /extended/v3/staking/cycles/{cycle_number}",
  get_staking_overview: "GET /extended/v3/staking",
  get_staking_rewards: "GET /extended/v3/staking/rewards",
  get_staking_signer: "GET /extended/v3/staking/signers/{principal}",
  get_staking_signer_events: "GET /extended/v3/staking/signers/{principal}/events limit cursor",
  get_staking_signer_stakers: "GET /extended/v3/staking/signers/{principal}/stakers limit cursor cycle include",
  get_staking_signers: "GET /extended/v3/staking/signers limit cursor",
  get_status: "GET /extended",
  get_stream: "GET /extended/v1/stream topics, principal contract asset function event_type, after from_height",
  get_stream_page: "GET /extended/v1/stream/pages topics, principal contract asset function event_type, after from_height limit",
  get_stream_tip: "GET /extended/v1/stream/tip",
  get_stx_supply: "GET /extended/v1/stx_supply/ at_block height unanchored",
  get_stx_supply_circulating_plain: "GET /extended/v1/stx_supply/circulating/plain",
  get_stx_supply_total_supply_plain: "GET /extended/v1/stx_supply/total/plain",
  get_stx_token_holders: "GET /extended/v3/tokens/stx/holders limit cursor at_block",
  get_stx_total_supply: "GET /extended/v3/tokens/stx/supply at_block",
  get_supply_history: "GET /extended/v1/history/supply from to points step asset",
  get_tenure_blocks: "GET /extended/v2/block-tenures/{tenure_height}/blocks limit offset cursor",
  get_total_stx_supply_legacy_format: "GET /extended/v1/stx_supply/legacy_format at_block height unanchored",
  get_transaction: "GET /extended/v3/transactions/{tx_id} include,",
  get_transaction_by_id: "GET /extended/v1/tx/{tx_id} event_limit event_offset unanchored exclude_function_args include_state",
  get_transaction_diagnosis: "GET /extended/v1/tx/{tx_id}/diagnosis",
  get_transaction_events: "GET /extended/v3/transactions/{tx_id}/events limit cursor",
  get_transaction_history: "GET /extended/v1/history/transactions from to points step",
  get_transaction_list: "GET /extended/v1/tx/ limit offset cursor from_height to_height from_time to_time sender recipient contract function status type, unanchored order sort_by from_address to_address start_time end_time contract_id function_name nonce exclude_function_args include_state",
  get_transaction_proof: "GET /extended/v3/transactions/{tx_id}/proof",
  get_transaction_summary: "GET /extended/v1/tx/{tx_id}/summary",
  get_transactions: "GET /extended/v3/transactions limit cursor from_height to_height from_time to_time sender recipient contract function status",
  get_transactions_batch: "GET /extended/v3/transactions/batch tx_id,",
  get_transactions_by_block: "GET /extended/v2/blocks/{height_or_hash}/transactions limit offset cursor exclude_function_args sender recipient contract function status",
  get_transactions_by_block_hash: "GET /extended/v1/tx/block/{block_hash} limit offset cursor exclude_function_args",
  get_transactions_by_block_height: "GET /extended/v1/tx/block_height/{height} limit offset cursor exclude_function_args",
  get_transfer_fee: "GET /v2/fees/transfer",
  get_tx_list_details: "GET /extended/v1/tx/multiple tx_id, event_limit event_offset unanchored exclude_function_args include_state",
  get_unanchored_txs: "GET /extended/v1/microblock/unanchored/txs",
  get_webhooks_status: "GET /extended/v1/status/webhooks",
  post_batch: "POST /extended/v1/batch",
  register_chainhook: "POST /chainhooks/me",
  resolve_bns_v2_name: "GET /bns/v2/resolve-name/{name}",
  rosetta_account_balance: "POST /rosetta/v1/account/balance",
  rosetta_block: "POST /rosetta/v1/block",
  rosetta_block_transaction: "POST /rosetta/v1/block/transaction",
  rosetta_call: "POST /rosetta/v1/call",
  rosetta_construction_combine: "POST /rosetta/v1/construction/combine",
  rosetta_construction_derive: "POST /rosetta/v1/construction/derive",
  rosetta_construction_hash: "POST /rosetta/v1/construction/hash",
  rosetta_construction_metadata: "POST /rosetta/v1/construction/metadata",
  rosetta_construction_parse: "POST /rosetta/v1/construction/parse",
  rosetta_construction_payloads: "POST /rosetta/v1/construction/payloads",
  rosetta_construction_preprocess: "POST /rosetta/v1/construction/preprocess",
  rosetta_construction_submit: "POST /rosetta/v1/construction/submit",
  rosetta_events_blocks: "POST /rosetta/v1/events/blocks",
  rosetta_mempool: "POST /rosetta/v1/mempool",
  rosetta_mempool_transaction: "POST /rosetta/v1/mempool/transaction",
  rosetta_network_list: "POST /rosetta/v1/network/list",
  rosetta_network_options: "POST /rosetta/v1/network/options",
  rosetta_network_status: "POST /rosetta/v1/network/status",
  rosetta_search_transactions: "POST /rosetta/v1/search/transactions",
  rotate_chainhooks_secret: "POST /chainhooks/me/secret",
  run_btc_faucet: "POST /extended/v3/faucets/btc",
  run_faucet_btc: "POST /extended/v1/faucets/btc address large xlarge",
  run_faucet_sbtc: "POST /extended/v1/faucets/sbtc address",
  run_faucet_stx: "POST /extended/v1/faucets/stx address stacking",
  run_sbtc_faucet: "POST /extended/v3/faucets/sbtc",
  run_stx_faucet: "POST /extended/v3/faucets/stx",
  search: "GET /extended/v3/search q type,",
  search_by_id: "GET /extended/v1/search/{id} include_metadata",
  search_ranked: "GET /extended/v1/search q",
  search_token_metadata: "GET /metadata/v1/search contract locale",
  simulate_transaction: "POST /extended/v1/tx/simulate",
  update_chainhook: "PATCH /chainhooks/me/{uuid}",
};

export type AddressBalance = { stx: StxBalance; fungible_tokens: { [key: string]: { balance: string; total_sent: string; total_received: string; metadata?: AssetMetadata } }; non_fungible_tokens: { [key: string]: { count: string; total_sent: string; total_received: string } }; token_offering_locked?: TokenOffering };
export type AddressNonces = { last_mempool_tx_nonce: number | null; last_executed_tx_nonce: number | null; possible_next_nonce: number; detected_missing_nonces: (number)[]; detected_mempool_nonces: (number)[] };
export type AddressTransaction = { tx: Transaction; stx_sent: string; stx_received: string; events: { stx: { transfer: number; mint: number; burn: number }; ft: { transfer: number; mint: number; burn: number }; nft: { transfer: number; mint: number; burn: number } } };
export type AddressTransactionEvent = { type: "stx"; event_index: number; data: { type: "transfer" | "mint" | "burn"; amount: string; sender?: string; recipient?: string } } | { type: "ft"; event_index: number; data: { type: "transfer" | "mint" | "burn"; amount: string; asset_identifier: string; sender?: string; recipient?: string } } | { type: "nft"; event_index: number; data: { type: "transfer" | "mint" | "burn"; asset_identifier: string; value: ClarityValue; sender?: string; recipient?: string } };
export type AddressTransactionEventPage = { limit: number; offset: number; total: number; results: (AddressTransactionEvent)[]; next_cursor?: string | null; prev_cursor?: string | null };
export type AddressTransactionPage = { limit: number; offset: number; total: number | null; next_cursor?: string | null; prev_cursor?: string | null; cursor?: string | null; results: (AddressTransaction)[] };
export type AddressTransactionWithStx = { tx: Transaction; stx_sent: string; stx_received: string; stx_transfers: (StxTransfer)[] };
export type AddressTransactionWithTransfers = { tx: Transaction; stx_sent: string; stx_received: string; stx_transfers: (StxTransfer)[]; ft_transfers: (FtTransfer)[]; nft_transfers: (NftTransfer)[] };
export type AddressTransactionWithTransfersPage = { limit: number; offset: number; total: number; results: (AddressTransactionWithTransfers)[]; next_cursor?: string | null; prev_cursor?: string | null };
export type AssetMetadata = { name?: string; symbol?: string; decimals?: number };
export type Audit = { checked_height: number; tip_height: number; blocks_checked: string; checked_at: string; faults: number; explained: number; findings: ({ check: string; subject: string; message: string; reason: string | null; tip_height: number; found_at: string })[] };
export type AverageBlockTimes = { last_1h: number; last_24h: number; last_7d: number; last_30d: number };
export type Balance = { balance: string };
export type BalanceChange = { asset: { type: "stx" } | { type: "ft" | "nft"; identifier: string }; balance_change: BalanceChangeAmounts };
export type BalanceChangeAmounts = { sent: string; received: string; net: string };
export type BalanceChangeList = { total: number; limit: number; cursor: Cursors; results: (BalanceChange)[] };
export type BalanceSeries = { results: ({ block_height: number; block_time: number; balance: string })[] };
export type BatchResults = { results: ({ status: number; body: unknown })[] };
export type BitcoinBlockPosition = { height: number; time: number; time_iso: string };
export type BitcoinChainTip = { block_height: number; block_hash: string; index_block_hash: string; microblock_hash: string; microblock_sequence: number; burn_block_height: number };
export type BitcoinFaucetBalance = { balance: number };
export type BitcoinFaucetGift = { success: true; txid: string; raw_tx: string };
export type BitcoinStatus = { server_version: string; status: string; pox_v1_unlock_height: number; pox_v2_unlock_height: number; pox_v3_unlock_height: number; chain_tip: BitcoinChainTip };
export type Block = { canonical: boolean; height: number; hash: string; block_time: number; block_time_iso: string; tenure_height: number; index_block_hash: string; parent_block_hash: string; burn_block_time: number; burn_block_time_iso: string; burn_block_hash: string; burn_block_height: number; miner_txid: string; execution_cost_read_count: number; execution_cost_read_length: number; execution_cost_runtime: number; execution_cost_write_count: number; execution_cost_write_length: number; txs: (string)[]; parent_microblock_hash: string; parent_microblock_sequence: number; microblocks_accepted: (string)[]; microblocks_streamed: (string)[]; microblock_tx_count: { [key: string]: number } };
export type BlockPage = { limit: number; offset: number; total: number; results: (Block)[]; next_cursor?: string | null; prev_cursor?: string | null };
export type BlockPosition = { height: number; hash: string; index_hash: string; time: number; time_iso: string; tx_index: number };
export type BlockProposal = { received_at: string; block_height: number; block_hash: string; index_block_hash: string; burn_block_height: number; block_time: number; cycle_number: number; status: "pending" | "accepted" | "rejected"; push_time_ms: number | null; total_signer_count: number; total_signer_weight: number; total_signer_stacked_amount: string; accepted_count: number; rejected_count: number; missing_count: number; accepted_weight: number; rejected_weight: number; missing_weight: number; signer_data: (ProposalVote)[] };
export type BlockProposalPage = { limit: number; offset: number; results: (BlockProposal)[] };
export type BlockSummary = { height: number; hash: string; index_hash: string; time: number; time_iso: string };
export type BlockVotes = { cycle_number: number; total_signer_count: number; accepted_count: number; accepted_excluded_count: number; rejected_count: number; missing_count: number; average_response_time_ms: number; block_proposal_time_ms: number; accepted_stacked_amount: string; rejected_stacked_amount: string; missing_stacked_amount: string; accepted_weight: number; rejected_weight: number; missing_weight: number };
export type BnsV2Name = { full_name: string; name_string: string; namespace_string: string; owner: string; registered_at: string; renewal_height: string; stx_burn: string; revoked: boolean };
export type BnsV2NameFound = { current_burn_block: number; status: "active" | "grace" | "expired" | "revoked"; data: { full_name: string; name_string: string; namespace_string: string; owner: string; registered_at: string; renewal_height: string; stx_burn: string; revoked: boolean; imported_at: string | null; is_valid: boolean } };
export type BnsV2Names = { total: number; current_burn_block: number; limit: number; offset: number; names: (BnsV2Name)[] };
export type BnsV2Zonefile = { zonefile: { owner: string; general: string; twitter: string; url: string; nostr: string; lightning: string; btc: string; subdomains: (string)[] } };
export type Bond = { index: number; pox_version: "pox5"; status: "upcoming" | "active" | "unlocked"; parameters: BondParameters; registrations: BondRegistrations; schedule: BondScheduleTimes | BondSchedule; balances: BondBalances; transaction: StakingTransaction };
export type BondAllowlist = { total: number; limit: number; cursor: Cursors; results: (BondAllowlistEntry)[] };
export type BondAllowlistEntry = { staker: string; max_sats: string };
export type BondBalances = { locked: StakedAmounts; rewards?: BondRewards; paid_out: { btc: string } };
export type BondEvent = BondEventSetupBond | BondEventAddToAllowlist | BondEventRegisterForBond | BondEventUpdateBondRegistration | BondEventAnnounceL1EarlyExit | BondEventUnstakeSbtc | BondEventBondDistribution | BondEventClaimStakerRewardsForSigner;
export type BondEventAddToAllowlist = { name: "add-to-allowlist"; bond_index: number; transaction: TransactionPosition; block: BlockPosition; bitcoin_block: BitcoinBlockPosition; data: { staker: string; max_sats: string } };
export type BondEventAnnounceL1EarlyExit = { name: "announce-l1-early-exit"; bond_index: number; transaction: TransactionPosition; block: BlockPosition; bitcoin_block: BitcoinBlockPosition; data: { staker: string; signer: string; released: { btc: string } } };
export type BondEventBondDistribution = { name: "bond-distribution"; bond_index: number; transaction: TransactionPosition; block: BlockPosition; bitcoin_block: BitcoinBlockPosition; data: { calculation: { bitcoin_height: number; reward_cycle: number }; target_yield: string; rewards: { btc: string }; staked: { btc: string }; accrued_rewards_per_sat: string; cumulative_rewards_per_sat: string } };
export type BondEventClaimStakerRewardsForSigner = { name: "claim-staker-rewards-for-signer"; bond_index: number; transaction: TransactionPosition; block: BlockPosition; bitcoin_block: BitcoinBlockPosition; data: { signer_manager: string; staker: string; reward_cycle: number; claimed: { btc: string } } };
export type BondEventList = { total: number; limit: number; cursor: Cursors; results: (BondEvent)[] };
export type BondEventRegisterForBond = { name: "register-for-bond"; bond_index: number; transaction: TransactionPosition; block: BlockPosition; bitcoin_block: BitcoinBlockPosition; data: { staker: string; signer: string; type: "l1" | "l2"; balances: StakedAmounts } };
export type BondEventSetupBond = { name: "setup-bond"; bond_index: number; transaction: TransactionPosition; block: BlockPosition; bitcoin_block: BitcoinBlockPosition; data: { parameters: { target_rate_bps: number; stx_value_ratio: number; minimum_stx_ratio: number }; early_unlock_bytes: string; schedule: BondScheduleTimes } };
export type BondEventUnstakeSbtc = { name: "unstake-sbtc"; bond_index: number; transaction: TransactionPosition; block: BlockPosition; bitcoin_block: BitcoinBlockPosition; data: { staker: string; signer: string; withdrawn: { btc: string }; remaining: { btc: string } } };
export type BondEventUpdateBondRegistration = { name: "update-bond-registration"; bond_index: number; transaction: TransactionPosition; block: BlockPosition; bitcoin_block: BitcoinBlockPosition; data: { staker: string; signer: string; old_signer: string; type: "l1" | "l2"; balances: StakedAmounts } };
export type BondList = { total: number; limit: number; cursor: Cursors; results: (BondSummary)[] };
export type BondMilestone = { bitcoin_height: number; pox_cycle: number };
export type BondParameters = { target_rate_bps: number; stx_value_ratio: number; minimum_stx_ratio: number; btc_capacity: string };
export type BondRegistration = { staker: string; signer: string; type: "l1" | "l2"; balances: StakedAmounts; l1_lockup: { transactions: ({ tx_id: string; output_index: number })[] } } | { staker: string; signer: string; type: "l1" | "l2"; balances: StakedAmounts; l2_lockup: { tx_id: string } };
export type BondRegistrationList = { total: number; limit: number; cursor: Cursors; results: (BondRegistrationSummary)[] };
export type BondRegistrationSummary = { staker: string; signer: string; type: "l1" | "l2"; balances: StakedAmounts };
export type BondRegistrations = { allowed_count: number; registered_count: number };
export type BondRewards = { btc: { distributed: string; accrued: string; claimed: string } };
export type BondSchedule = { activation: BondMilestone; unlock: BondMilestone };
export type BondSchedulePoint = { bitcoin_height: number; pox_cycle: number; time: number | null; time_iso: string | null; projected_time: number | null; projected_time_iso: string | null };
export type BondScheduleTimes = { enrollment_cutoff?: BondSchedulePoint; activation: BondSchedulePoint; unlock: BondSchedulePoint };
export type BondSummary = { index: number; pox_version: "pox5"; status: "upcoming" | "active" | "unlocked"; parameters: BondParameters; registrations: BondRegistrations; schedule: BondScheduleTimes | BondSchedule; balances: BondBalances };
export type BurnBlock = { burn_block_time: number; burn_block_time_iso: string; burn_block_hash: string; burn_block_height: number; stacks_blocks: (string)[]; avg_block_time: number; total_tx_count: number };
export type BurnBlockBlockPage = { limit: number; offset: number; total: number; results: (NakamotoBlock)[]; next_cursor?: string | null; prev_cursor?: string | null };
export type BurnBlockPage = { limit: number; offset: number; total: number; results: (BurnBlock)[] };
export type BurnBlockPoxTransaction = { burn_block_height: number; burn_block_hash: string; tx_id: string; recipient: string; utxo_idx: number; amount: string; payer?: string | null };
export type BurnBlockPoxTransactionPage = { limit: number; offset: number; total: number; results: (BurnBlockPoxTransaction)[] };
export type BurnchainReward = { canonical: boolean; burn_block_hash: string; burn_block_height: number; burn_amount: string; reward_recipient: string; reward_amount: string; reward_index: number };
export type BurnchainRewardPage = { limit: number; offset: number; results: (BurnchainReward)[] };
export type BurnchainRewardTotal = { reward_recipient: string; reward_amount: string };
export type ChainTip = { block_height: number; block_hash: string; index_block_hash: string; burn_block_height: number; microblock_hash?: string; microblock_sequence?: number };
export type Chainhook = { uuid: string; definition: ChainhookDefinition; status: ChainhookStatus };
export type ChainhookAction = { type: "http_post"; url: string };
export type ChainhookDefinition = { name: string; version: "1"; chain: "stacks"; network: "mainnet" | "testnet"; options?: ChainhookOptions | null; action: ChainhookAction; filters: ChainhookFilters };
export type ChainhookDefinitionChange = { name?: string; version?: "1"; chain?: "stacks"; network?: "mainnet" | "testnet"; options?: ChainhookOptions | null; action?: ChainhookAction; filters?: ChainhookFilters };
export type ChainhookEnabled = { enabled: boolean };
export type ChainhookEvaluation = { block_height?: number; index_block_hash?: string };
export type ChainhookFilter = { type: "ft_event"; asset_identifier?: string } | { type: "ft_transfer"; asset_identifier?: string; sender?: string; receiver?: string } | { type: "ft_mint"; asset_identifier?: string; receiver?: string } | { type: "ft_burn"; asset_identifier?: string; sender?: string } | { type: "nft_event"; asset_identifier?: string; value?: number | string } | { type: "nft_transfer"; asset_identifier?: string; value?: number | string; sender?: string; receiver?: string } | { type: "nft_mint"; asset_identifier?: string; value?: number | string; receiver?: string } | { type: "nft_burn"; asset_identifier?: string; value?: number | string; sender?: string } | { type: "stx_event" } | { type: "stx_transfer"; sender?: string; receiver?: string } | { type: "stx_mint"; receiver?: string } | { type: "stx_burn"; sender?: string } | { type: "contract_deploy"; contract_identifier?: string; sender?: string } | { type: "contract_call"; contract_identifier?: string; function_name?: string; sender?: string } | { type: "contract_log"; contract_identifier?: string; sender?: string } | { type: "coinbase" } | { type: "tenure_change"; cause?: "block_found" | "extended" } | { type: "balance_change"; principal: string };
export type ChainhookFilters = { events: (ChainhookFilter)[] };
export type ChainhookOptions = { enable_on_registration?: boolean; expire_after_evaluations?: number; expire_after_occurrences?: number; decode_clarity_values?: boolean; include_contract_abi?: boolean; include_contract_source_code?: boolean; include_post_conditions?: boolean; include_raw_transactions?: boolean; include_block_signatures?: boolean; include_block_metadata?: boolean };
export type ChainhookPage = { limit: number; offset: number; total: number; results: (Chainhook)[] };
export type ChainhookSecret = { secret: string | null };
export type ChainhookSelection = { uuids?: (string)[]; webhook_url?: string; statuses?: ("new" | "streaming" | "expired" | "interrupted")[] };
export type ChainhookStatus = { status: "new" | "streaming" | "expired" | "interrupted"; enabled: boolean; created_at: number; last_evaluated_at: number | null; last_evaluated_block_height: number | null; last_occurrence_at: number | null; last_occurrence_block_height: number | null; evaluated_block_count: number; occurrence_count: number };
export type ChainhooksEnabled = { enabled: boolean; filters: ChainhookSelection };
export type ChainhooksStatus = { server_version: string; status: "ready" };
export type ChainhooksUpdated = { updated_uuids: (string)[] };
export type ClarityData = { data: string; proof?: string };
export type ClarityValue = { hex: string; repr: string; json?: unknown };
export type CoinbaseDetail = { payload: string; alt_recipient: string | null; vrf_proof: string | null };
export type CoinbaseMempoolTransaction = { tx_id: string; nonce: number; sponsor_nonce?: number; fee_rate: string; sender_address: string; sponsored: boolean; sponsor_address?: string; post_condition_mode: "allow" | "deny" | "originator"; post_conditions: (PostCondition)[]; anchor_mode: "on_chain_only" | "off_chain_only" | "any"; tx_status: "pending" | "dropped_replace_by_fee" | "dropped_replace_across_fork" | "dropped_too_expensive" | "dropped_stale_garbage_collect" | "dropped_problematic"; state?: "pending" | "success" | "failed"; replaced_by_tx_id: string | null; receipt_time: number; receipt_time_iso: string; size?: number; awaiting_node_report?: true; tx_type: "coinbase"; coinbase_payload: CoinbasePayload };
export type CoinbaseMempoolTransactionDetail = { tx_id: string; sender: TransactionSigner; sponsor: TransactionSigner | null; fee_rate: string; receipt_time: number; receipt_block_height: number; status: "pending" | "dropped_replace_by_fee" | "dropped_replace_across_fork" | "dropped_too_expensive" | "dropped_stale_garbage_collect" | "dropped_problematic"; post_conditions?: (PostCondition)[]; replaced_by_tx_id: string | null; type: "coinbase" };
export type CoinbaseMempoolTransactionSummary = { tx_id: string; sender: TransactionSigner; sponsor: TransactionSigner | null; fee_rate: string; receipt_time: number; receipt_block_height: number; status: "pending" | "dropped_replace_by_fee" | "dropped_replace_across_fork" | "dropped_too_expensive" | "dropped_stale_garbage_collect" | "dropped_problematic"; type: "coinbase" };
export type CoinbasePayload = { data: string; alt_recipient: string | null; vrf_proof?: string };
export type CoinbaseSummary = { alt_recipient: string | null };
export type CoinbaseTransaction = { tx_id: string; nonce: number; sponsor_nonce?: number; fee_rate: string; sender_address: string; sponsored: boolean; sponsor_address?: string; post_condition_mode: "allow" | "deny" | "originator"; post_conditions: (PostCondition)[]; anchor_mode: "on_chain_only" | "off_chain_only" | "any"; is_unanchored: boolean; block_hash: string; parent_block_hash: string; block_height: number; block_time: number; block_time_iso: string; burn_block_height: number; burn_block_time: number; burn_block_time_iso: string; parent_burn_block_time: number; parent_burn_block_time_iso: string; canonical: boolean; tx_index: number; tx_status: "success" | "abort_by_response" | "abort_by_post_condition" | "problematic_skipped"; state?: "pending" | "success" | "failed"; tx_result: ClarityValue; event_count: number; microblock_hash: string; microblock_sequence: number; microblock_canonical: boolean; execution_cost_read_count: number; execution_cost_read_length: number; execution_cost_runtime: number; execution_cost_write_count: number; execution_cost_write_length: number; vm_error: string | null; events: (TransactionEvent)[]; tx_type: "coinbase"; coinbase_payload: CoinbasePayload };
export type CoinbaseTransactionDetail = { tx_id: string; sender: TransactionSigner; sponsor: TransactionSigner | null; fee_rate: string; block: TransactionBlock; bitcoin_block: TransactionBitcoinBlock; status: "success" | "abort_by_response" | "abort_by_post_condition" | "problematic_skipped"; post_conditions?: (PostCondition)[]; parent_block: ParentBlock; event_count: number; execution_cost: ExecutionCost; vm_error: string | null; result?: ClarityValue; type: "coinbase"; coinbase: CoinbaseDetail };
export type CoinbaseTransactionSummary = { tx_id: string; sender: TransactionSigner; sponsor: TransactionSigner | null; fee_rate: string; block: TransactionBlock; bitcoin_block: TransactionBitcoinBlock; status: "success" | "abort_by_response" | "abort_by_post_condition" | "problematic_skipped"; type: "coinbase"; coinbase: CoinbaseSummary };
export type CollectionMove = { type: "transfer" | "mint" | "burn"; sender: string | null; recipient: string | null; tx_id: string; event_index: number; block_height: number; block_time: number; value: ClarityValue };
export type CollectionMoveList = { limit: number; cursor: { next: string | null }; results: (CollectionMove)[] };
export type ContractCall = { contract_id: string; function_name: string; function_signature: string; function_args?: ({ hex: string; repr: string; name: string; type: string })[] };
export type ContractCallDetail = { contract_id: string; function_name: string; function_args?: (ClarityValue)[] };
export type ContractCallMempoolTransaction = { tx_id: string; nonce: number; sponsor_nonce?: number; fee_rate: string; sender_address: string; sponsored: boolean; sponsor_address?: string; post_condition_mode: "allow" | "deny" | "originator"; post_conditions: (PostCondition)[]; anchor_mode: "on_chain_only" | "off_chain_only" | "any"; tx_status: "pending" | "dropped_replace_by_fee" | "dropped_replace_across_fork" | "dropped_too_expensive" | "dropped_stale_garbage_collect" | "dropped_problematic"; state?: "pending" | "success" | "failed"; replaced_by_tx_id: string | null; receipt_time: number; receipt_time_iso: string; size?: number; awaiting_node_report?: true; tx_type: "contract_call"; contract_call: ContractCall };
export type ContractCallMempoolTransactionDetail = { tx_id: string; sender: TransactionSigner; sponsor: TransactionSigner | null; fee_rate: string; receipt_time: number; receipt_block_height: number; status: "pending" | "dropped_replace_by_fee" | "dropped_replace_across_fork" | "dropped_too_expensive" | "dropped_stale_garbage_collect" | "dropped_problematic"; post_conditions?: (PostCondition)[]; replaced_by_tx_id: string | null; type: "contract_call"; contract_call: ContractCallDetail };
export type ContractCallMempoolTransactionSummary = { tx_id: string; sender: TransactionSigner; sponsor: TransactionSigner | null; fee_rate: string; receipt_time: number; receipt_block_height: number; status: "pending" | "dropped_replace_by_fee" | "dropped_replace_across_fork" | "dropped_too_expensive" | "dropped_stale_garbage_collect" | "dropped_problematic"; type: "contract_call"; contract_call: ContractCallSummary };
export type ContractCallSummary = { contract_id: string; function_name: string };
export type ContractCallTransaction = { tx_id: string; nonce: number; sponsor_nonce?: number; fee_rate: string; sender_address: string; sponsored: boolean; sponsor_address?: string; post_condition_mode: "allow" | "deny" | "originator"; post_conditions: (PostCondition)[]; anchor_mode: "on_chain_only" | "off_chain_only" | "any"; is_unanchored: boolean; block_hash: string; parent_block_hash: string; block_height: number; block_time: number; block_time_iso: string; burn_block_height: number; burn_block_time: number; burn_block_time_iso: string; parent_burn_block_time: number; parent_burn_block_time_iso: string; canonical: boolean; tx_index: number; tx_status: "success" | "abort_by_response" | "abort_by_post_condition" | "problematic_skipped"; state?: "pending" | "success" | "failed"; tx_result: ClarityValue; event_count: number; microblock_hash: string; microblock_sequence: number; microblock_canonical: boolean; execution_cost_read_count: number; execution_cost_read_length: number; execution_cost_runtime: number; execution_cost_write_count: number; execution_cost_write_length: number; vm_error: string | null; events: (TransactionEvent)[]; tx_type: "contract_call"; contract_call: ContractCall };
export type ContractCallTransactionDetail = { tx_id: string; sender: TransactionSigner; sponsor: TransactionSigner | null; fee_rate: string; block: TransactionBlock; bitcoin_block: TransactionBitcoinBlock; status: "success" | "abort_by_response" | "abort_by_post_condition" | "problematic_skipped"; post_conditions?: (PostCondition)[]; parent_block: ParentBlock; event_count: number; execution_cost: ExecutionCost; vm_error: string | null; result?: ClarityValue; type: "contract_call"; contract_call: ContractCallDetail };
export type ContractCallTransactionSummary = { tx_id: string; sender: TransactionSigner; sponsor: TransactionSigner | null; fee_rate: string; block: TransactionBlock; bitcoin_block: TransactionBitcoinBlock; status: "success" | "abort_by_response" | "abort_by_post_condition" | "problematic_skipped"; type: "contract_call"; contract_call: ContractCallSummary };
export type ContractEventPage = { limit: number; offset: number; results: (TransactionEvent)[]; next_cursor?: string | null; prev_cursor?: string | null };
export type ContractLog = { contract_id: string; topic: "print"; value: ClarityValue };
export type ContractLogEvent = { event_index: number; type: "contract_log"; contract_log: ContractLog };
export type ContractLogPage = { limit: number; offset: number; total: number | null; next_cursor: string | null; prev_cursor: string | null; cursor: string | null; results: (LogEvent)[] };
export type ContractStatus = { found: true; result: { contract_id: string; status: string; tx_id: string; block_height?: number } } | { found: false };
export type Cursors = { next: string | null; previous: string | null; current: string | null };
export type CycleSigner = { signing_key: string; weight: { amount: number; percent: number }; staked_stx: { amount: string; percent: number }; signer_managers: (CycleSignerManager)[] };
export type CycleSignerList = { total: number; limit: number; cursor: Cursors; results: (CycleSigner)[] };
export type CycleSignerManager = { signer_manager: string; registered_at: { block_height: number; bitcoin_block_height: number; tx_id: string }; granted_keys: ({ signer_key: string; auth_id: string; tx_id: string })[]; grant_active: boolean; pending_key_update: { signer_key: string; effective_cycle: number; tx_id: string } | null };
export type DatabaseStatus = { size_bytes: number; servers: (ReadServer)[] };
export type DeployedContract = { contract_id: string; clarity_version: number | null; tx_id: string; block: BlockPosition; bitcoin_block: BitcoinBlockPosition; source_code?: string };
export type DiagnosisReason = { code: "ready" | "nonce_used" | "nonce_gap" | "nonce_competition" | "waits_for_earlier" | "chain_too_long" | "fee_low" | "balance_too_small" | "expires_soon" | "awaiting_node_report" | "miner_only" | "succeeded" | "aborted_by_response" | "aborted_by_post_condition" | "skipped_as_problematic" | "failed" | "orphaned" | "replaced" | "too_expensive" | "expired" | "problematic" | "dropped"; message: string; blocking: boolean; account?: string; nonces?: (number)[]; tx_ids?: (string)[] };
export type EventPage = { limit: number; offset: number; total: number; results: (TransactionEvent)[]; next_cursor?: string | null; prev_cursor?: string | null };
export type ExecutionCost = { read_count: number; read_length: number; runtime: number; write_count: number; write_length: number };
export type ExpiringName = { name: string; namespace: string; owner: string; expires: number };
export type ExpiringNamePage = { limit: number; chain: "stacks" | "burn"; height: number; next_cursor: string | null; results: (ExpiringName)[] };
export type FailingEvent = { event_id: number; since: string; reason: string };
export type FaucetGift = { success: true; txId: string; txRaw: string };
export type FeeEstimate = { estimated_cost: { read_count: number; read_length: number; runtime: number; write_count: number; write_length: number }; estimated_cost_scalar: number; cost_scalar_change_by_byte: number; estimations: ({ fee: number; fee_rate: number })[] };
export type FeePriorities = { no_priority: number; low_priority: number; medium_priority: number; high_priority: number };
export type FeeQuestion = { transaction_payload: string; estimated_len?: number };
export type FeeRate = { fee_rate: number };
export type FeeSeries = { results: ({ block_height: number; block_time: number; count: number; p25: string | null; p50: string | null; p75: string | null; p95: string | null })[] };
export type FeedsStatus = { open: { sse: number; websocket: number; "socket.io": number }; messages: number; position: number | null; buffered_bytes: number; ended: { slow: number; stopping: number; failed: number }; publishers: (PublisherStatus)[] };
export type FilteredEventPage = { limit: number; offset: number; events: (TransactionEvent)[]; next_cursor?: string | null; prev_cursor?: string | null };
export type FilteredTransactionPage = { limit: number; offset: number; total: number | null; results: (Transaction)[]; next_cursor?: string | null; prev_cursor?: string | null };
export type FilteredTransactionSummaryList = { total: number | null; limit: number; cursor: Cursors; results: (TransactionSummary)[] };
export type Found = FoundBlock | FoundBitcoin_block | FoundTransaction | FoundAddress | FoundContract | FoundToken | FoundName;
export type FoundAddress = { type: "address"; principal: string };
export type FoundBitcoin_block = { type: "bitcoin_block"; height: number; hash: string };
export type FoundBlock = { type: "block"; height: number; hash: string; index_block_hash: string };
export type FoundContract = { type: "contract"; contract_id: string };
export type FoundList = { results: (Found)[] };
export type FoundName = { type: "name"; name: string; version: number; owner: string | null };
export type FoundToken = { type: "token"; asset_identifier: string; asset_type: "ft" | "nft"; name: string | null; symbol: string | null };
export type FoundTokenMetadata = { contract_id: string; token_number: number; token_type: "ft" | "nft" | "sft"; name?: string; symbol?: string; token_uri?: string; decimals?: number; total_supply?: string; description?: string; image_uri?: string; image_thumbnail_uri?: string; image_canonical_uri?: string; tx_id: string; sender_address: string };
export type FoundTokenMetadataList = (FoundTokenMetadata)[];
export type FoundTransaction = { type: "transaction"; tx_id: string };
export type FtAssetEvent = { event_index: number; type: "ft_asset"; ft_asset: { type: "transfer"; sender: string; recipient: string; asset_identifier: string; amount: string } | { type: "mint"; recipient: string; asset_identifier: string; amount: string } | { type: "burn"; sender: string; asset_identifier: string; amount: string } };
export type FtEvent = { event_index: number; tx_id: string; event_type: "fungible_token_asset"; asset: { asset_event_type: "transfer" | "mint" | "burn"; sender: string; recipient: string; asset_id: string; metadata?: AssetMetadata; amount: string } };
export type FtHolderList = { total: number; limit: number; cursor: Cursors; results: (TokenHolder)[]; metadata?: AssetMetadata };
export type FtSupply = { asset_identifier: string; total: string; metadata?: AssetMetadata };
export type FtTransfer = { asset_identifier: string; amount: string; sender: string; recipient: string };
export type FullNodeInfo = { peer_version: number; pox_consensus: string; burn_block_height: number; stable_pox_consensus: string; stable_burn_block_height: number; server_version: string; network_id: number; parent_network_id: number; stacks_tip_height: number; stacks_tip: string; stacks_tip_consensus_hash: string; unanchored_tip: string; exit_at_block_height: number };
export type FunctionCall = { arguments?: { [key: string]: unknown } | (unknown)[]; sender?: string };
export type FunctionCallResult = { result: ClarityValue; type: string };
export type FungibleTokenBasicMetadata = { name?: string; symbol?: string; token_uri?: string; decimals?: number; total_supply?: string; description?: string; image_uri?: string; image_thumbnail_uri?: string; image_canonical_uri?: string; tx_id: string; sender_address: string; asset_identifier: string; contract_principal: string };
export type FungibleTokenMetadata = { name?: string; symbol?: string; token_uri?: string; decimals?: number; total_supply?: string; description?: string; image_uri?: string; image_thumbnail_uri?: string; image_canonical_uri?: string; tx_id: string; sender_address: string; asset_identifier: string; metadata?: TokenMetadata; metadata_error?: TokenMetadataError };
export type FungibleTokenMetadataPage = { limit: number; offset: number; total: number; results: (FungibleTokenBasicMetadata)[] };
export type Holder = { address: string; balance: string };
export type HolderPage = { total_supply: string; limit: number; offset: number; total: number; results: (Holder)[]; metadata?: AssetMetadata };
export type HolderSeries = { results: ({ block_height: number; block_time: number; holders: number })[] };
export type InboundTransfer = { sender: string; amount: string; memo: string; block_height: number; tx_id: string; transfer_type: "stx-transfer" | "stx-transfer-memo" | "bulk-send"; tx_index: number };
export type InboundTransferPage = { limit: number; offset: number; total: number | null; results: (InboundTransfer)[]; next_cursor?: string | null; prev_cursor?: string | null };
export type IncompleteBlocks = { blocks: number; heights: (number)[]; unknown: (string)[] };
export type IngestActivity = { batches: (IngestBatch)[]; reorgs: (Reorg)[] };
export type IngestBatch = { at: string; events: number; blocks: number; steps: number };
export type IngestStatus = { logged: number; folded: number; lag_seconds: number; parked: number; incomplete: IncompleteBlocks; quarantined: number; last_quarantined: { event_id: number; at: string; reason: string } | null; index_hash_mismatches: number; skipped: number; halted_at: number | null; halt_reason: string | null; root_mid_chain: boolean; tip_ruled_out: boolean; block_height: number | null; last_received: string | null; unknown: (UnknownItem)[]; suspended: string | null; stalled: StalledMove | null; failing: FailingEvent | null; nodes: NodesCompared | null };
export type LegacyStxSupply = { unlockedPercent: string; totalStacks: string; totalStacksFormatted: string; totalStacksYear2050: string; totalStacksYear2050Formatted: string; unlockedSupply: string; unlockedSupplyFormatted: string; blockHeight: string };
export type ListedEvent = ContractLogEvent | StxLockEvent | StxAssetEvent | FtAssetEvent | NftAssetEvent;
export type ListedEventList = { total: number; limit: number; cursor: Cursors; results: (ListedEvent)[] };
export type LockEvent = { event_index: number; tx_id: string; event_type: "stx_lock"; stx_lock_event: { locked_amount: string; unlock_height: number; locked_address: string } };
export type LogEvent = { event_index: number; tx_id: string; event_type: "smart_contract_log"; contract_log: ContractLog };
export type Memo = { hex: string; repr: string };
export type MempoolAmountPercentiles = { p25: string | null; p50: string | null; p75: string | null; p95: string | null };
export type MempoolFeePriorities = { all: FeePriorities; token_transfer?: FeePriorities; contract_call?: FeePriorities; smart_contract?: FeePriorities };
export type MempoolFigures = { count: number; fee_rate: MempoolAmountPercentiles; tx_size: MempoolPercentiles; receipt_time: MempoolPercentiles; receipt_block_height: MempoolPercentiles };
export type MempoolPercentiles = { p25: number | null; p50: number | null; p75: number | null; p95: number | null };
export type MempoolSeries = { results: ({ time: number; total: number; types: { token_transfer: number; smart_contract: number; contract_call: number; poison_microblock: number; coinbase: number; tenure_change: number } })[] };
export type MempoolStats = { tx_type_counts: { token_transfer: number; smart_contract: number; contract_call: number; poison_microblock: number }; tx_simple_fee_averages: { token_transfer: Percentiles; smart_contract: Percentiles; contract_call: Percentiles; poison_microblock: Percentiles }; tx_ages: { token_transfer: Percentiles; smart_contract: Percentiles; contract_call: Percentiles; poison_microblock: Percentiles }; tx_byte_sizes: { token_transfer: Percentiles; smart_contract: Percentiles; contract_call: Percentiles; poison_microblock: Percentiles } };
export type MempoolSummary = { count: number; fee_rate: MempoolAmountPercentiles; tx_size: MempoolPercentiles; receipt_time: MempoolPercentiles; receipt_block_height: MempoolPercentiles; by_type: { token_transfer: MempoolFigures; smart_contract: MempoolFigures; contract_call: MempoolFigures } };
export type MempoolTransaction = TokenTransferMempoolTransaction | ContractCallMempoolTransaction | SmartContractMempoolTransaction | CoinbaseMempoolTransaction | TenureChangeMempoolTransaction | PoisonMicroblockMempoolTransaction;
export type MempoolTransactionDetail = TokenTransferMempoolTransactionDetail | ContractCallMempoolTransactionDetail | SmartContractMempoolTransactionDetail | CoinbaseMempoolTransactionDetail | TenureChangeMempoolTransactionDetail | PoisonMicroblockMempoolTransactionDetail;
export type MempoolTransactionPage = { limit: number; offset: number; total: number; results: (MempoolTransaction)[] };
export type MempoolTransactionSummary = TokenTransferMempoolTransactionSummary | ContractCallMempoolTransactionSummary | SmartContractMempoolTransactionSummary | CoinbaseMempoolTransactionSummary | TenureChangeMempoolTransactionSummary | PoisonMicroblockMempoolTransactionSummary;
export type MempoolTransactionSummaryList = { total: number; limit: number; cursor: Cursors; results: (MempoolTransactionSummary)[] };
export type Microblock = { canonical: boolean; microblock_canonical: boolean; microblock_hash: string; microblock_sequence: number; microblock_parent_hash: string; block_height: number; parent_block_height: number; parent_block_hash: string; parent_burn_block_hash: string; parent_burn_block_time: number; parent_burn_block_time_iso: string; parent_burn_block_height: number; block_hash: string; txs: (string)[] };
export type MicroblockPage = { limit: number; offset: number; total: number; results: (Microblock)[] };
export type MiningReward = { id: string; recipient: string; miner: string; block: BlockSummary; source_block: BlockSummary | null; coinbase: string; fees: string; total: string };
export type MiningRewardList = { total: number; limit: number; cursor: Cursors; results: (MiningReward)[] };
export type MissingTip = { block_height: number; index_block_hash: string; since: string; reason: string };
export type NakamotoBlock = { canonical: boolean; height: number; hash: string; block_time: number; block_time_iso: string; tenure_height: number; index_block_hash: string; parent_block_hash: string; burn_block_time: number; burn_block_time_iso: string; burn_block_hash: string; burn_block_height: number; miner_txid: string; execution_cost_read_count: number; execution_cost_read_length: number; execution_cost_runtime: number; execution_cost_write_count: number; execution_cost_write_length: number; parent_index_block_hash: string; tx_count: number };
export type NakamotoBlockPage = { limit: number; offset: number; total: number; next_cursor: string | null; prev_cursor: string | null; cursor: string | null; results: (NakamotoBlock)[] };
export type NameArray = (string)[];
export type NameAvailability = { name: string; namespace: string; available: boolean; reason: "invalid_name" | "unknown_namespace" | "namespace_not_launched" | "managed_namespace" | "taken" | "grace" | null; price: string | null; version: 1 | 2 | null; owner: string | null; expires: NameExpiry | null };
export type NameChange = { name: string; namespace: string; version: 1 | 2; owner: string | null; expires: NameExpiry; token_id: number | null; listing_price: string | null; zonefile_hash: string | null; revoked: boolean; last_change: "name-import" | "name-register" | "name-update" | "name-transfer" | "name-renewal" | "name-revoke" | "name-airdrop" | "name-list" | "name-unlist" | "name-purchase" | "name-burn" | "name-genesis"; tx_id: string | null; block_height: number };
export type NameChangePage = { limit: number; next_cursor: string | null; results: (NameChange)[] };
export type NameDetails = { name: string; namespace: string; version: 1 | 2; owner: string | null; expires: NameExpiry; token_id: number | null; listing_price: string | null; zonefile_hash: string | null; revoked: boolean; last_change: "name-import" | "name-register" | "name-update" | "name-transfer" | "name-renewal" | "name-revoke" | "name-airdrop" | "name-list" | "name-unlist" | "name-purchase" | "name-burn" | "name-genesis"; tx_id: string | null; block_height: number; state: "active" | "grace" | "expired" | "revoked" | "burnt"; at_block: number };
export type NameExpiry = { chain: "stacks" | "burn"; height: number | null; grace_until: number | null; never: boolean };
export type NameInfo = { address: string; blockchain: "stacks"; expire_block?: number; last_txid: string; resolver?: string; status: string; zonefile?: string; zonefile_hash: string };
export type NamePrice = { units: "STX"; amount: string };
export type NamespaceDetails = { namespace: string; version: 1 | 2; importer: string | null; manager: string | null; manager_transfers: boolean; manager_frozen: boolean; price_updatable: boolean; chain: "stacks" | "burn"; revealed_at: number; launched_at: number | null; lifetime: number; price: { base: string; coefficient: string; nonalpha_discount: string; no_vowel_discount: string; buckets: (string)[] }; last_change: string; tx_id: string | null; block_height: number };
export type Namespaces = { namespaces: (string)[] };
export type NetworkBlockTime = { target_block_time: number };
export type NetworkBlockTimes = { mainnet: NetworkBlockTime; testnet: NetworkBlockTime };
export type NetworkStatus = { name: string; chain_id: number; addresses: "mainnet" | "testnet" };
export type NftAssetEvent = { event_index: number; type: "nft_asset"; nft_asset: { type: "transfer"; sender: string; recipient: string; asset_identifier: string; value: ClarityValue } | { type: "mint"; recipient: string; asset_identifier: string; value: ClarityValue } | { type: "burn"; sender: string; asset_identifier: string; value: ClarityValue } };
export type NftCollection = { contract_id: string; asset_identifier: string | null; items: string; minted: number; holders: number };
export type NftCollectionList = { next: string | null; results: (NftCollection)[] };
export type NftEvent = { event_index: number; tx_id: string; event_type: "non_fungible_token_asset"; asset: { asset_event_type: "transfer" | "mint" | "burn"; sender: string; recipient: string; asset_id: string; metadata?: AssetMetadata; value: ClarityValue } };
export type NftHistoryEvent = { event_index: number; asset_event_type: "transfer" | "mint" | "burn"; sender: string | null; recipient?: string; tx_id: string } | { event_index: number; asset_event_type: "transfer" | "mint" | "burn"; sender: string | null; recipient?: string; tx: Transaction };
export type NftHistoryPage = { limit: number; offset: number; total: number | null; results: (NftHistoryEvent)[]; next_cursor?: string | null; prev_cursor?: string | null };
export type NftHolder = { principal: string; balance: string };
export type NftHolderList = { total: number; limit: number; cursor: Cursors; results: (NftHolder)[] };
export type NftHolding = { asset_identifier: string; value: ClarityValue; block_height: number; metadata?: AssetMetadata; tx_id: string } | { asset_identifier: string; value: ClarityValue; block_height: number; metadata?: AssetMetadata; tx: Transaction };
export type NftHoldingPage = { limit: number; offset: number; total: number; results: (NftHolding)[] };
export type NftMint = { recipient?: string; event_index: number; value: ClarityValue; tx_id: string } | { recipient?: string; event_index: number; value: ClarityValue; tx: Transaction };
export type NftMintPage = { limit: number; offset: number; total: number | null; results: (NftMint)[]; next_cursor?: string | null; prev_cursor?: string | null };
export type NftMove = { sender: string | null; recipient: string | null; transaction: TransactionPosition; block: BlockPosition };
export type NftMoveList = { total: number; limit: number; cursor: Cursors; results: (NftMove)[] };
export type NftTransfer = { asset_identifier: string; value: ClarityValue; sender: string; recipient: string };
export type NodeAccount = { balance: string; locked: string; unlock_height: number; nonce: number; balance_proof?: string; nonce_proof?: string };
export type NodeContractInterface = { functions: (unknown)[]; variables: (unknown)[]; maps: (unknown)[]; fungible_tokens: (unknown)[]; non_fungible_tokens: (unknown)[]; epoch?: string; clarity_version?: string };
export type NodeContractSource = { source: string; publish_height: number; proof?: string };
export type NodeInfo = { peer_version: number; pox_consensus: string; burn_block_height: number; stable_pox_consensus: string; stable_burn_block_height: number; server_version: string; network_id: number; parent_network_id: number; stacks_tip_height: number; stacks_tip: string; stacks_tip_consensus_hash: string; unanchored_tip: string | null; exit_at_block_height: number | null };
export type NodePoolStatus = { best_height: number | null; healthy: number; nodes: (NodeState)[] };
export type NodePox = { contract_id: string; pox_activation_threshold_ustx: number; first_burnchain_block_height: number; current_burnchain_block_height: number; prepare_phase_block_length: number; reward_phase_block_length: number; reward_slots: number; total_liquid_supply_ustx: number; current_cycle: { id: number; min_threshold_ustx: number; stacked_ustx: number; is_pox_active: boolean }; next_cycle: { id: number; min_threshold_ustx: number; min_increment_ustx: number; stacked_ustx: number; prepare_phase_start_block_height: number; blocks_until_prepare_phase: number; reward_phase_start_block_height: number; blocks_until_reward_phase: number }; min_amount_ustx: number; reward_cycle_id: number; reward_cycle_length: number; next_reward_cycle_in: number; contract_versions: ({ contract_id: string; activation_burnchain_block_height: number; first_reward_cycle_id: number })[] };
export type NodeState = { name: string; state: string; reason: string | null; height: number | null; burn_height: number | null; lag: number | null; peer_lag: number | null; latency_ms: number; in_flight: number; ejections: number; weight: number; checked_at: string | null; off_chain_since: string | null; server_version: string | null };
export type NodesCompared = { compared_at: string | null; best_height: number | null; blocks_behind: number; on_their_branch: boolean | null; missing: MissingTip | null };
export type NonFungibleTokenMetadata = { token_uri?: string; metadata?: TokenMetadata; metadata_error?: TokenMetadataError };
export type NonceChain = { next_nonce: number; ready: number; missing_nonces: (number)[]; highest_admitted_nonce: number; pending: ({ nonce: number; tx_id: string; sponsoring: boolean; fee_rate: string; state: "ready" | "waiting" | "stale" })[] };
export type OwnedNames = { names: (string)[] };
export type ParentBlock = { hash: string; index_hash: string };
export type PendingStxBalance = { estimated_balance: string; inbound: string; outbound: string };
export type Percentiles = { p25: number | null; p50: number | null; p75: number | null; p95: number | null };
export type PoisonMicroblock = { microblock_header_1: string; microblock_header_2: string };
export type PoisonMicroblockMempoolTransaction = { tx_id: string; nonce: number; sponsor_nonce?: number; fee_rate: string; sender_address: string; sponsored: boolean; sponsor_address?: string; post_condition_mode: "allow" | "deny" | "originator"; post_conditions: (PostCondition)[]; anchor_mode: "on_chain_only" | "off_chain_only" | "any"; tx_status: "pending" | "dropped_replace_by_fee" | "dropped_replace_across_fork" | "dropped_too_expensive" | "dropped_stale_garbage_collect" | "dropped_problematic"; state?: "pending" | "success" | "failed"; replaced_by_tx_id: string | null; receipt_time: number; receipt_time_iso: string; size?: number; awaiting_node_report?: true; tx_type: "poison_microblock"; poison_microblock: PoisonMicroblock };
export type PoisonMicroblockMempoolTransactionDetail = { tx_id: string; sender: TransactionSigner; sponsor: TransactionSigner | null; fee_rate: string; receipt_time: number; receipt_block_height: number; status: "pending" | "dropped_replace_by_fee" | "dropped_replace_across_fork" | "dropped_too_expensive" | "dropped_stale_garbage_collect" | "dropped_problematic"; post_conditions?: (PostCondition)[]; replaced_by_tx_id: string | null; type: "poison_microblock" };
export type PoisonMicroblockMempoolTransactionSummary = { tx_id: string; sender: TransactionSigner; sponsor: TransactionSigner | null; fee_rate: string; receipt_time: number; receipt_block_height: number; status: "pending" | "dropped_replace_by_fee" | "dropped_replace_across_fork" | "dropped_too_expensive" | "dropped_stale_garbage_collect" | "dropped_problematic"; type: "poison_microblock" };
export type PoisonMicroblockTransaction = { tx_id: string; nonce: number; sponsor_nonce?: number; fee_rate: string; sender_address: string; sponsored: boolean; sponsor_address?: string; post_condition_mode: "allow" | "deny" | "originator"; post_conditions: (PostCondition)[]; anchor_mode: "on_chain_only" | "off_chain_only" | "any"; is_unanchored: boolean; block_hash: string; parent_block_hash: string; block_height: number; block_time: number; block_time_iso: string; burn_block_height: number; burn_block_time: number; burn_block_time_iso: string; parent_burn_block_time: number; parent_burn_block_time_iso: string; canonical: boolean; tx_index: number; tx_status: "success" | "abort_by_response" | "abort_by_post_condition" | "problematic_skipped"; state?: "pending" | "success" | "failed"; tx_result: ClarityValue; event_count: number; microblock_hash: string; microblock_sequence: number; microblock_canonical: boolean; execution_cost_read_count: number; execution_cost_read_length: number; execution_cost_runtime: number; execution_cost_write_count: number; execution_cost_write_length: number; vm_error: string | null; events: (TransactionEvent)[]; tx_type: "poison_microblock"; poison_microblock: PoisonMicroblock };
export type PoisonMicroblockTransactionDetail = { tx_id: string; sender: TransactionSigner; sponsor: TransactionSigner | null; fee_rate: string; block: TransactionBlock; bitcoin_block: TransactionBitcoinBlock; status: "success" | "abort_by_response" | "abort_by_post_condition" | "problematic_skipped"; post_conditions?: (PostCondition)[]; parent_block: ParentBlock; event_count: number; execution_cost: ExecutionCost; vm_error: string | null; result?: ClarityValue; type: "poison_microblock" };
export type PoisonMicroblockTransactionSummary = { tx_id: string; sender: TransactionSigner; sponsor: TransactionSigner | null; fee_rate: string; block: TransactionBlock; bitcoin_block: TransactionBitcoinBlock; status: "success" | "abort_by_response" | "abort_by_post_condition" | "problematic_skipped"; type: "poison_microblock" };
export type PoolDelegation = { stacker: string; pox_addr?: string; amount_ustx: string; burn_block_unlock_height?: number; block_height: number; tx_id: string };
export type PoolDelegationPage = { limit: number; offset: number; total: number; results: (PoolDelegation)[]; next_cursor?: string | null; prev_cursor?: string | null };
export type PostCondition = PostConditionStx | PostConditionFungible | PostConditionNonFungible | PostConditionStaking | PostConditionPox;
export type PostConditionAsset = { contract_address: string; contract_name: string; asset_name: string };
export type PostConditionFungible = { type: "fungible"; condition_code: "sent_equal_to" | "sent_greater_than" | "sent_greater_than_or_equal_to" | "sent_less_than" | "sent_less_than_or_equal_to"; principal: PostConditionPrincipal; amount: string; asset: PostConditionAsset };
export type PostConditionNonFungible = { type: "non_fungible"; condition_code: "sent" | "not_sent" | "maybe_sent"; principal: PostConditionPrincipal; asset: PostConditionAsset; asset_value: ClarityValue };
export type PostConditionOutcome = { condition: PostCondition; holds: boolean | null; moved: string | null };
export type PostConditionPox = { type: "pox"; condition_code: "not_performed" | "maybe_performed" | "performed"; principal: PostConditionPrincipal };
export type PostConditionPrincipal = { type_id: "principal_origin" } | { type_id: "principal_standard"; address: string } | { type_id: "principal_contract"; address: string; contract_name: string };
export type PostConditionStaking = { type: "staking"; condition_code: "sent_equal_to" | "sent_greater_than" | "sent_greater_than_or_equal_to" | "sent_less_than" | "sent_less_than_or_equal_to"; principal: PostConditionPrincipal; amount: string };
export type PostConditionStx = { type: "stx"; condition_code: "sent_equal_to" | "sent_greater_than" | "sent_greater_than_or_equal_to" | "sent_less_than" | "sent_less_than_or_equal_to"; principal: PostConditionPrincipal; amount: string };
export type PoxCycle = { block_height: number; index_block_hash: string; cycle_number: number; total_weight: number; total_stacked_amount: string; total_signers: number };
export type PoxCyclePage = { limit: number; offset: number; total: number; results: (PoxCycle)[]; next_cursor?: string | null; prev_cursor?: string | null };
export type PoxEvent = { block_height: number; tx_id: string; tx_index: number; event_index: number; stacker: string; locked: string; balance: string; burnchain_unlock_height: string; pox_addr: string | null; pox_addr_raw: string | null; name: string; data: { [key: string]: string | null } };
export type PoxEventPage = { limit: number; offset: number; results: (PoxEvent)[] };
export type PoxEvents = { results: (PoxEvent)[] };
export type PoxSigner = { signing_key: string; signer_address: string; weight: number; stacked_amount: string; weight_percent: number; stacked_amount_percent: number; solo_stacker_count: number; pooled_stacker_count: number };
export type PoxSignerPage = { limit: number; offset: number; total: number; results: (PoxSigner)[]; next_cursor?: string | null; prev_cursor?: string | null };
export type PoxStacker = { stacker_address: string; stacked_amount: string; pox_address: string; stacker_type: "solo" | "pooled" };
export type PoxStackerPage = { limit: number; offset: number; total: number; results: (PoxStacker)[]; next_cursor?: string | null; prev_cursor?: string | null };
export type PrimaryName = { owner: string; name: string | null; version: 1 | 2 | null };
export type PrincipalBondPosition = { bond_index: number; status: "enrolled" | "running" | "early_exit" | "unlocked"; active: boolean; enrollment: { tx_id: string; btc_lockup: { amount: string } }; locked: StakedAmounts; rewards: StakingRewards };
export type PrincipalBondPositionList = { total: number; limit: number; cursor: Cursors; results: (PrincipalBondPosition)[] };
export type PrincipalEvent = { event: TransactionEvent; block: BlockPosition };
export type PrincipalEventList = { total: number | null; limit: number; cursor: Cursors; results: (PrincipalEvent)[] };
export type PrincipalFtPosition = { asset_identifier: string; balance: string; metadata?: AssetMetadata };
export type PrincipalFtPositionList = { total: number; limit: number; cursor: Cursors; results: (PrincipalFtPosition)[] };
export type PrincipalFtTransfer = { sender: string | null; recipient: string | null; amount: string; transaction: TransactionPosition; block: BlockPosition };
export type PrincipalFtTransferList = { total: number | null; limit: number; cursor: Cursors; results: (PrincipalFtTransfer)[] };
export type PrincipalLabel = { principal: string; label: string | null; name: string | null };
export type PrincipalLabelList = { results: (PrincipalLabel)[] };
export type PrincipalMining = { rewards: { count: number; coinbase: string; fees: string; total: string } };
export type PrincipalNftPosition = { asset_identifier: string; value: ClarityValue; metadata?: AssetMetadata };
export type PrincipalNftPositionList = { total: number; limit: number; cursor: Cursors; results: (PrincipalNftPosition)[] };
export type PrincipalNonces = { next_nonce: number; last_confirmed_nonce: number | null; mempool: { last_nonce: number | null; pending_nonces: (number)[]; missing_nonces: (number)[] } };
export type PrincipalStakingSummary = { stx: { locked: string; rewards: StakingRewards }; bonds: { count: number; locked: StakedAmounts; rewards: StakingRewards } };
export type PrincipalStxBalance = { balance: string; available: string; locked: StxLock | null; mempool: PendingStxBalance | null };
export type PrincipalStxTransfer = { sender: string | null; recipient: string | null; amount: string; memo: Memo | null; transaction: TransactionPosition; block: BlockPosition };
export type PrincipalStxTransferList = { total: number | null; limit: number; cursor: Cursors; results: (PrincipalStxTransfer)[] };
export type PrincipalTransaction = { transaction: TransactionSummary; involvement: "sender" | "sponsor" | "affected"; balance_changes: { stx: BalanceChangeAmounts }; affected_balances: { stx: boolean; ft: boolean; nft: boolean } };
export type PrincipalTransactionList = { total: number | null; limit: number; cursor: Cursors; results: (PrincipalTransaction)[] };
export type PrintExample = { block_height: number; tx_id: string; event_index: number; value: ClarityValue };
export type PrintField = { path: string; count: number; types: (PrintFieldType)[] };
export type PrintFieldType = { type: string; count: number; example: string | null };
export type PrintSchema = { contract_id: string; count: number; uncounted: number; topics: (PrintTopic)[] };
export type PrintTopic = { topic: string | null; count: number; first_block_height: number; last_block_height: number; fields: (PrintField)[]; has_more_fields: boolean; example: PrintExample | null };
export type ProposalVote = { signer_key: string; slot_index: number; response: "accepted" | "rejected" | "missing"; weight: number; weight_percentage: number; stacked_amount: string; version: string | null; received_at: string | null; response_time_ms: number | null; reason_string: string | null; reason_code: string | null; validation_code: string | null };
export type PublisherStatus = { stream: string; state: "publishing" | "failing" | "stopped"; trouble: "unreachable" | "not_allowed" | "full" | "too_large" | "other_writer" | "other_chain" | "behind" | "refused" | "database" | null; block_height: number; backlog_blocks: number; messages: number; published_at: string | null };
export type RateLimit = { units_per_second: number; burst: number; ms_per_unit: number; max_open: number | null; refused: number };
export type RawTransaction = { raw_tx: string };
export type ReadOnlyCall = { sender: string; arguments: (string)[]; sponsor?: string };
export type ReadOnlyResult = { okay: boolean; result?: string; cause?: string };
export type ReadServer = { name: string; role: "primary" | "replica"; condition: "unknown" | "usable" | "behind" | "unreachable" | "refused"; in_use: boolean; lag_seconds: number; block_height: number | null; in_flight: number };
export type Reorg = { at: string; fork_height: number; removed_blocks: number };
export type RequestLimits = { max_in_flight: number; body_limit: number; rate: RateLimit | null };
export type RewardSlotHolder = { canonical: boolean; burn_block_hash: string; burn_block_height: number; address: string; slot_index: number };
export type RewardSlotHolderPage = { limit: number; offset: number; total: number; results: (RewardSlotHolder)[] };
export type RosettaAccount = { address: string; sub_account?: { address: string; metadata?: { [key: string]: unknown } }; metadata?: { [key: string]: unknown } };
export type RosettaAmount = { value: string; currency: RosettaCurrency; metadata?: { [key: string]: unknown } };
export type RosettaBalance = { block_identifier: RosettaBlockIdentifier; balances: (RosettaAmount)[]; metadata: { sequence_number: number; nonce?: number; locked_balance?: string; unlock_height?: number } };
export type RosettaBalanceRequest = { network_identifier: RosettaNetwork; account_identifier: RosettaAccount; block_identifier?: RosettaPartialBlock; currencies?: (RosettaCurrency)[] };
export type RosettaBlock = { block_identifier: RosettaBlockIdentifier; parent_block_identifier: RosettaBlockIdentifier; timestamp: number; transactions: (RosettaTransaction)[]; metadata: { burn_block_height: number } };
export type RosettaBlockIdentifier = { index: number; hash: string };
export type RosettaBlockRequest = { network_identifier: RosettaNetwork; block_identifier: RosettaPartialBlock };
export type RosettaBlockResponse = { block: RosettaBlock; other_transactions?: (RosettaTransactionIdentifier)[] };
export type RosettaBlockTransactionRequest = { network_identifier: RosettaNetwork; block_identifier: { index?: number; hash?: string; metadata?: { [key: string]: unknown } }; transaction_identifier: RosettaTransactionIdentifier };
export type RosettaCallRequest = { network_identifier: RosettaNetwork; method: string; parameters?: { [key: string]: unknown } };
export type RosettaCallResponse = { result: { [key: string]: unknown }; idempotent: boolean };
export type RosettaCombineRequest = { network_identifier: RosettaNetwork; unsigned_transaction: string; signatures: (RosettaSignature)[] };
export type RosettaCombined = { signed_transaction: string };
export type RosettaConstructionMetadata = { sender_address?: string; type?: string; status?: unknown; token_transfer_recipient_address?: string; amount?: string; symbol?: string; decimals?: number; gas_limit?: unknown; gas_price?: unknown; suggested_fee_multiplier?: number; max_fee?: string; fee?: string; size?: number; memo?: string; number_of_cycles?: number; pox_addr?: string; signer_key?: string; signer_signature?: string; signer_private_key?: string; pox_max_amount?: string | number; pox_auth_id?: string | number; reward_cycle_id?: number; contract_address?: string; contract_name?: string; burn_block_height?: number; delegate_to?: string; operation?: { [key: string]: unknown }; account_sequence?: number; recent_block_hash?: string; options?: { memo?: string } };
export type RosettaConstructionOptions = { sender_address?: string; type?: string; status?: unknown; token_transfer_recipient_address?: string; amount?: string; symbol?: string; decimals?: number; gas_limit?: unknown; gas_price?: unknown; suggested_fee_multiplier?: number; max_fee?: string; fee?: string; size?: number; memo?: string; number_of_cycles?: number; pox_addr?: string; signer_key?: string; signer_signature?: string; signer_private_key?: string; pox_max_amount?: string | number; pox_auth_id?: string | number; reward_cycle_id?: number; contract_address?: string; contract_name?: string; burn_block_height?: number; delegate_to?: string; operation?: { [key: string]: unknown } };
export type RosettaCurrency = { symbol: string; decimals: number; metadata?: { [key: string]: unknown } };
export type RosettaDeriveRequest = { network_identifier: RosettaNetwork; public_key: RosettaPublicKey; metadata?: { [key: string]: unknown } };
export type RosettaDerived = { account_identifier: RosettaAccount };
export type RosettaError = { code: number; message: string; retriable: boolean; details?: { message: string } };
export type RosettaEvents = { max_sequence: number; events: ({ sequence: number; block_identifier: RosettaBlockIdentifier; type: "block_added" | "block_removed" })[] };
export type RosettaEventsRequest = { network_identifier: RosettaNetwork; offset?: number; limit?: number };
export type RosettaMempool = { transaction_identifiers: (RosettaTransactionIdentifier)[] };
export type RosettaMempoolTransactionRequest = { network_identifier: RosettaNetwork; transaction_identifier: RosettaTransactionIdentifier };
export type RosettaMempoolTransactionResponse = { transaction: RosettaTransaction; metadata?: { [key: string]: unknown } };
export type RosettaMetadata = { metadata: RosettaConstructionMetadata; suggested_fee: (RosettaAmount)[] };
export type RosettaMetadataRequest = { network_identifier: RosettaNetwork; options: RosettaConstructionOptions; public_keys?: (RosettaPublicKey)[] };
export type RosettaNetwork = { blockchain: string; network: string };
export type RosettaNetworkList = { network_identifiers: (RosettaNetwork)[] };
export type RosettaNetworkOptions = { version: { rosetta_version: string; node_version: string; middleware_version?: string }; allow: { operation_statuses: ({ status: string; successful: boolean })[]; operation_types: (string)[]; errors: (RosettaError)[]; historical_balance_lookup: boolean; timestamp_start_index?: number; call_methods: (string)[]; balance_exemptions: (unknown)[]; mempool_coins: boolean; block_hash_case?: string; transaction_hash_case?: string } };
export type RosettaNetworkRequest = { network_identifier: RosettaNetwork; metadata?: { [key: string]: unknown } };
export type RosettaNetworkStatus = { current_block_identifier: RosettaBlockIdentifier; current_block_timestamp: number; genesis_block_identifier: RosettaBlockIdentifier; oldest_block_identifier?: RosettaBlockIdentifier; peers: ({ peer_id: string })[]; current_burn_block_height: number; sync_status?: { current_index: number; target_index: number; synced: boolean } };
export type RosettaOperation = { operation_identifier: { index: number; network_index?: number }; related_operations?: ({ index: number; network_index?: number })[]; type: string; status?: string; account?: RosettaAccount; amount?: RosettaAmount; coin_change?: { coin_action: string; coin_identifier: { identifier: string } }; metadata?: { [key: string]: unknown } };
export type RosettaParseRequest = { network_identifier: RosettaNetwork; signed: boolean; transaction: string };
export type RosettaParsed = { operations: (RosettaOperation)[]; account_identifier_signers?: (RosettaAccount)[]; metadata?: { [key: string]: unknown } };
export type RosettaPartialBlock = { index?: number; hash?: string };
export type RosettaPayloads = { unsigned_transaction: string; payloads: (RosettaSigningPayload)[] };
export type RosettaPayloadsRequest = { network_identifier: RosettaNetwork; operations: (RosettaOperation)[]; metadata?: RosettaConstructionMetadata; public_keys?: (RosettaPublicKey)[] };
export type RosettaPreprocessRequest = { network_identifier: RosettaNetwork; operations: (RosettaOperation)[]; metadata?: { gas_limit?: unknown; gas_price?: unknown; memo?: string }; max_fee?: (RosettaAmount)[]; suggested_fee_multiplier?: number };
export type RosettaPreprocessed = { options: RosettaConstructionOptions; required_public_keys: (RosettaAccount)[] };
export type RosettaPublicKey = { hex_bytes: string; curve_type: string };
export type RosettaSearchRequest = { network_identifier: RosettaNetwork; operator?: "and" | "or"; max_block?: number; offset?: number; limit?: number; transaction_identifier?: RosettaTransactionIdentifier; account_identifier?: RosettaAccount; address?: string; type?: string; status?: string; success?: boolean; currency?: RosettaCurrency; coin_identifier?: { identifier: string } };
export type RosettaSearchResponse = { transactions: ({ block_identifier: RosettaBlockIdentifier; transaction: RosettaTransaction })[]; total_count: number; next_offset?: number };
export type RosettaSignature = { signing_payload: RosettaSigningPayload; public_key: RosettaPublicKey; signature_type: string; hex_bytes: string };
export type RosettaSignedTransactionRequest = { network_identifier: RosettaNetwork; signed_transaction: string };
export type RosettaSigningPayload = { address?: string; account_identifier?: RosettaAccount; hex_bytes: string; signature_type?: string };
export type RosettaTransaction = { transaction_identifier: RosettaTransactionIdentifier; operations: (RosettaOperation)[]; metadata?: { [key: string]: unknown } };
export type RosettaTransactionHash = { transaction_identifier: RosettaTransactionIdentifier };
export type RosettaTransactionIdentifier = { hash: string };
export type RosettaTransactionResponse = { transaction: RosettaTransaction };
export type SbtcBitcoinRecipient = { version: string; hashbytes: string; address: string | null; type: "p2pkh" | "p2sh" | "p2wpkh" | "p2wsh" | "p2tr" | "unknown" };
export type SbtcDeposit = { bitcoin_tx_id: string; vout: number; recipient: string | null; amount: string; status: "completed"; tx_id: string; block: BlockPosition; sweep: SbtcDepositSweep; bitcoin: SbtcDepositBitcoin | null };
export type SbtcDepositBitcoin = { gross: string | null; fee: string | null; max_fee: string | null; reclaim_height: number | null; swept: boolean | null; sweep: "in_block" | "in_mempool" | "not_found" | null };
export type SbtcDepositList = { total: number | null; limit: number; cursor: Cursors; results: (SbtcDeposit)[] };
export type SbtcDepositSweep = { tx_id: string; bitcoin_block_hash: string; bitcoin_height: number; confirmations: number | null; canonical: boolean | null };
export type SbtcEvent = { type: "withdrawal_request" | "withdrawal_accept" | "withdrawal_reject" | "deposit" | "key_rotation" | "contract_update"; contract_id: string; tx_id: string; event_index: number; block_height: number; principal: string | null; request_id: number | null; amount: string | null; fee: string | null; output: { tx_id: string; vout: number } | null; sweep: { tx_id: string; bitcoin_height: number } | null };
export type SbtcKeyRotation = { address: string; threshold: number; aggregate_key: string; keys: (string)[]; wallet_address: string | null; tx_id: string; block: BlockPosition };
export type SbtcKeyRotationList = { total: number; limit: number; cursor: Cursors; results: (SbtcKeyRotation)[] };
export type SbtcMovement = SbtcMovementDeposit | SbtcMovementWithdrawal;
export type SbtcMovementDeposit = { type: "deposit"; bitcoin_tx_id: string; vout: number; recipient: string | null; amount: string; status: "completed"; tx_id: string; block: BlockPosition; sweep: SbtcDepositSweep; bitcoin: SbtcDepositBitcoin | null };
export type SbtcMovementList = { total: number | null; limit: number; cursor: Cursors; results: (SbtcMovement)[] };
export type SbtcMovementWithdrawal = { type: "withdrawal"; request_id: number; status: "pending" | "accepted" | "rejected"; sender: string; amount: string; max_fee: string; fee: string | null; refund: string | null; recipient: SbtcBitcoinRecipient; requested: { tx_id: string; block: BlockPosition; bitcoin_height: number }; resolved: { tx_id: string; block: BlockPosition } | null; sweep: SbtcWithdrawalSweep | null; bitcoin: SbtcWithdrawalBitcoin | null; expires_at_bitcoin_height: number };
export type SbtcSigners = { address: string; threshold: number; aggregate_key: string; keys: (string)[]; wallet_address: string | null; since: BlockPosition };
export type SbtcSum = { count: number; total: string };
export type SbtcSummary = { deposits: SbtcSum; withdrawals: { pending: SbtcSum; accepted: SbtcSum; rejected: SbtcSum; fees: string }; supply: { spendable: string; locked: string; total: string }; signers: SbtcSigners | null; contracts: { governance: string; deposit: string; withdrawal: string } };
export type SbtcWithdrawal = { request_id: number; status: "pending" | "accepted" | "rejected"; sender: string; amount: string; max_fee: string; fee: string | null; refund: string | null; recipient: SbtcBitcoinRecipient; requested: { tx_id: string; block: BlockPosition; bitcoin_height: number }; resolved: { tx_id: string; block: BlockPosition } | null; sweep: SbtcWithdrawalSweep | null; bitcoin: SbtcWithdrawalBitcoin | null; expires_at_bitcoin_height: number };
export type SbtcWithdrawalBitcoin = { paid: string | null; pays_recipient: boolean | null; sweep: "in_block" | "in_mempool" | "not_found" | null };
export type SbtcWithdrawalList = { total: number | null; limit: number; cursor: Cursors; results: (SbtcWithdrawal)[] };
export type SbtcWithdrawalSweep = { tx_id: string; bitcoin_block_hash: string; bitcoin_height: number; confirmations: number | null; canonical: boolean | null; vout: number };
export type SchedulePoint = { bitcoin_height: number; time: number | null; time_iso: string | null; projected_time: number | null; projected_time_iso: string | null };
export type SearchFound = { found: true; result: { entity_id: string; entity_type: "tx_id"; tx_data: { canonical: boolean; block_hash: string; burn_block_time: number; block_height: number; tx_type: string }; metadata?: Transaction } | { entity_id: string; entity_type: "mempool_tx_id"; tx_data: { tx_type: string }; metadata?: MempoolTransaction } | { entity_id: string; entity_type: "block_hash"; block_data: { canonical: boolean; hash: string; parent_block_hash: string; burn_block_time: number; height: number }; metadata?: Block } | { entity_id: string; entity_type: "contract_address"; tx_data: { canonical?: boolean; block_hash?: string; burn_block_time?: number; block_height?: number; tx_type: string; tx_id: string }; metadata?: Transaction | MempoolTransaction } | { entity_id: string; entity_type: "standard_address"; metadata?: StxBalance } };
export type SearchHit = SearchHitBlock | SearchHitBitcoin_block | SearchHitTransaction | SearchHitAddress | SearchHitSmart_contract | SearchHitToken;
export type SearchHitAddress = { type: "address"; result: { principal: string } };
export type SearchHitBitcoin_block = { type: "bitcoin_block"; result: { height: number; hash: string } };
export type SearchHitBlock = { type: "block"; result: BlockSummary };
export type SearchHitSmart_contract = { type: "smart_contract"; result: DeployedContract };
export type SearchHitToken = { type: "token"; result: { asset_identifier: string; asset_type: "ft" | "nft"; contract_id: string; asset_name: string } };
export type SearchHitTransaction = { type: "transaction"; result: TransactionSummary };
export type SearchHits = { results: (SearchHit)[] };
export type SemiFungibleTokenMetadata = { token_uri?: string; decimals?: number; total_supply?: string; metadata?: TokenMetadata; metadata_error?: TokenMetadataError };
export type ServerStatus = { server_version: string; status: string; pox_v1_unlock_height: number | null; pox_v2_unlock_height: number | null; pox_v3_unlock_height: number | null; chain_tip?: ChainTip };
export type SignedBlock = { block_height: number; block_hash: string; index_block_hash: string; burn_block_height: number; tenure_height: number; block_time: number; signer_data: BlockVotes | null };
export type SignedBlockPage = { limit: number; offset: number; total: number; results: (SignedBlock)[]; next_cursor?: string | null; prev_cursor?: string | null };
export type SignerManagerAmount = { btc: string; basis: "gross" | "net" | null };
export type SignerManagerEvent = { name: string | null; staker: string | null; reward_cycle: number | null; bond_index: number | null; amount: SignerManagerAmount | null; withdrawal_request_id: number | null; value: ClarityValue; transaction: TransactionPosition; block: BlockPosition; bitcoin_block: BitcoinBlockPosition };
export type SignerManagerEventList = { total: number; limit: number; cursor: Cursors; results: (SignerManagerEvent)[] };
export type SignerMetricsSigner = { signer_key: string; slot_index: number; weight: number; weight_percentage: number; stacked_amount: string; stacked_amount_percent: number; stacked_amount_rank: number; proposals_accepted_count: number | null; proposals_rejected_count: number | null; proposals_missed_count: number | null; average_response_time_ms: number | null; last_seen: string | null; version: string | null };
export type SignerMetricsSignerPage = { limit: number; offset: number; total: number; results: (SignerMetricsSigner)[] };
export type SignerMetricsStatus = { server_version: string; status: "ready"; chain_tip: { block_height: number; index_block_hash: string } };
export type SignerSignaturePage = { limit: number; offset: number; total: number; results: (string)[]; next_cursor?: string | null; prev_cursor?: string | null };
export type SignerStaker = { staker: string; types: ("stx" | "btc")[]; staked?: StakedAmounts; bond_index?: number | null; first_cycle?: number; last_cycle?: number; unlock_cycle?: number; locked_at?: BlockPosition; lock_bitcoin_height?: number; unlock_bitcoin_height?: number; active?: boolean; unclaimed?: UnclaimedRewards };
export type SignerStakerList = { total: number; limit: number; cursor: Cursors; results: (SignerStaker)[] };
export type SimulatedBalanceChange = { principal: string; asset: { type: "stx" } | { type: "ft" | "nft"; identifier: string }; balance_change: BalanceChangeAmounts };
export type SimulatedFee = { payer: string; amount: string };
export type SimulatedPostConditions = { mode: "allow" | "deny" | "originator"; held: boolean | null; reason: string | null; conditions: (PostConditionOutcome)[]; uncovered: (UncoveredAsset)[] };
export type SimulationRequest = { transaction: string };
export type SmartContract = { tx_id: string; canonical: boolean; contract_id: string; block_height: number; clarity_version: number | null; source_code: string; abi: string | null };
export type SmartContractDetail = { contract_id: string; clarity_version: number | null; source_code?: string };
export type SmartContractMempoolTransaction = { tx_id: string; nonce: number; sponsor_nonce?: number; fee_rate: string; sender_address: string; sponsored: boolean; sponsor_address?: string; post_condition_mode: "allow" | "deny" | "originator"; post_conditions: (PostCondition)[]; anchor_mode: "on_chain_only" | "off_chain_only" | "any"; tx_status: "pending" | "dropped_replace_by_fee" | "dropped_replace_across_fork" | "dropped_too_expensive" | "dropped_stale_garbage_collect" | "dropped_problematic"; state?: "pending" | "success" | "failed"; replaced_by_tx_id: string | null; receipt_time: number; receipt_time_iso: string; size?: number; awaiting_node_report?: true; tx_type: "smart_contract"; smart_contract: SmartContractPayload };
export type SmartContractMempoolTransactionDetail = { tx_id: string; sender: TransactionSigner; sponsor: TransactionSigner | null; fee_rate: string; receipt_time: number; receipt_block_height: number; status: "pending" | "dropped_replace_by_fee" | "dropped_replace_across_fork" | "dropped_too_expensive" | "dropped_stale_garbage_collect" | "dropped_problematic"; post_conditions?: (PostCondition)[]; replaced_by_tx_id: string | null; type: "smart_contract"; smart_contract: SmartContractDetail };
export type SmartContractMempoolTransactionSummary = { tx_id: string; sender: TransactionSigner; sponsor: TransactionSigner | null; fee_rate: string; receipt_time: number; receipt_block_height: number; status: "pending" | "dropped_replace_by_fee" | "dropped_replace_across_fork" | "dropped_too_expensive" | "dropped_stale_garbage_collect" | "dropped_problematic"; type: "smart_contract"; smart_contract: SmartContractSummary };
export type SmartContractPage = { limit: number; offset: number; results: (SmartContract)[] };
export type SmartContractPayload = { clarity_version: number | null; contract_id: string; source_code: string };
export type SmartContractSummary = { contract_id: string; clarity_version: number | null };
export type SmartContractTransaction = { tx_id: string; nonce: number; sponsor_nonce?: number; fee_rate: string; sender_address: string; sponsored: boolean; sponsor_address?: string; post_condition_mode: "allow" | "deny" | "originator"; post_conditions: (PostCondition)[]; anchor_mode: "on_chain_only" | "off_chain_only" | "any"; is_unanchored: boolean; block_hash: string; parent_block_hash: string; block_height: number; block_time: number; block_time_iso: string; burn_block_height: number; burn_block_time: number; burn_block_time_iso: string; parent_burn_block_time: number; parent_burn_block_time_iso: string; canonical: boolean; tx_index: number; tx_status: "success" | "abort_by_response" | "abort_by_post_condition" | "problematic_skipped"; state?: "pending" | "success" | "failed"; tx_result: ClarityValue; event_count: number; microblock_hash: string; microblock_sequence: number; microblock_canonical: boolean; execution_cost_read_count: number; execution_cost_read_length: number; execution_cost_runtime: number; execution_cost_write_count: number; execution_cost_write_length: number; vm_error: string | null; events: (TransactionEvent)[]; tx_type: "smart_contract"; smart_contract: SmartContractPayload };
export type SmartContractTransactionDetail = { tx_id: string; sender: TransactionSigner; sponsor: TransactionSigner | null; fee_rate: string; block: TransactionBlock; bitcoin_block: TransactionBitcoinBlock; status: "success" | "abort_by_response" | "abort_by_post_condition" | "problematic_skipped"; post_conditions?: (PostCondition)[]; parent_block: ParentBlock; event_count: number; execution_cost: ExecutionCost; vm_error: string | null; result?: ClarityValue; type: "smart_contract"; smart_contract: SmartContractDetail };
export type SmartContractTransactionSummary = { tx_id: string; sender: TransactionSigner; sponsor: TransactionSigner | null; fee_rate: string; block: TransactionBlock; bitcoin_block: TransactionBitcoinBlock; status: "success" | "abort_by_response" | "abort_by_post_condition" | "problematic_skipped"; type: "smart_contract"; smart_contract: SmartContractSummary };
export type StakedAmounts = { btc: string; stx: string };
export type StakingCycle = { number: number; status: "upcoming" | "reward_phase" | "prepare_phase" | "finished"; schedule: { start: SchedulePoint; prepare_phase_start: SchedulePoint; end: SchedulePoint }; locked: { stx: { stx_only: string; bonds: string; total: string }; btc: { total: string; native: string; sbtc: string } }; participants: { stakers: { stx_only: number; bonds: number }; signers: number | null }; bonds: { total: number; indexes: (number)[] }; rewards: { btc: { total: string; waterfall: { bonds: string; stx_only: string; reserve_deposit: string }; claimed: string } } };
export type StakingCycleReward = { cycle: number; type: "stx" | "bond"; bond_index: number | null; signer_manager: string; shares: string; accrued: string; claimed: string; claimable: string; awaiting_signer: string; final: boolean };
export type StakingCycleRewardList = { total: number; limit: number; cursor: Cursors; results: (StakingCycleReward)[] };
export type StakingOverview = { locked: { stx: { stx_only_total: string; bond_total: string; total: string }; btc: { total: string } } };
export type StakingRewardAmounts = { accrued: string; claimed: string; claimable: string };
export type StakingRewardTotals = { btc: { reward_amount: string; burn_amount: string; total_amount: string } };
export type StakingRewards = { btc: StakingRewardAmounts };
export type StakingSigner = { signer: string; signer_key: string };
export type StakingSignerDetail = { signer: string; signer_key: string; transaction: StakingTransaction };
export type StakingSignerList = { total: number; limit: number; cursor: Cursors; results: (StakingSigner)[] };
export type StakingTransaction = { tx_id: string; block: { height: number; hash: string; index_hash: string; time: number; time_iso?: string; tx_index: number }; bitcoin_block: { height: number; time: number; time_iso?: string } };
export type StalledMove = { block_height: number; index_block_hash: string; since: string; reason: string };
export type StreamApply = { type: "apply"; position: string; block: NakamotoBlock; transactions?: (TransactionSummary)[]; events?: (TransactionEvent)[]; transfers?: (StreamTransfer)[]; contract_logs?: (StreamContractLog)[]; sbtc?: (SbtcEvent)[]; more: boolean };
export type StreamBlockReference = { height: number; index_block_hash: string };
export type StreamContractLog = { tx_id: string; event_index: number; contract_id: string; topic: "print"; value: ClarityValue };
export type StreamMempool = { type: "mempool"; position: string; transactions: (MempoolTransactionSummary)[] };
export type StreamMessage = StreamApply | StreamRollback | StreamMempool;
export type StreamPage = { position: string; at_tip: boolean; results: (StreamMessage)[] };
export type StreamRollback = { type: "rollback"; position: string; from: StreamBlockReference; to: StreamBlockReference; removed: (string)[] };
export type StreamTip = { position: string; block_height: number; index_block_hash: string };
export type StreamTransfer = { tx_id: string; event_index: number; asset: string; type: "transfer" | "mint" | "burn"; sender: string | null; recipient: string | null; amount: string; value: ClarityValue | null };
export type StxAssetEvent = { event_index: number; type: "stx_asset"; stx_asset: { type: "transfer"; sender: string; recipient: string; amount: string; memo: Memo | null } | { type: "mint"; recipient: string; amount: string } | { type: "burn"; sender: string; amount: string } };
export type StxBalance = { balance: string; total_miner_rewards_received: string; lock_tx_id: string; locked: string; lock_height: number; burnchain_lock_height: number; burnchain_unlock_height: number; estimated_balance?: string; pending_balance_inbound?: string; pending_balance_outbound?: string; total_sent: string; total_received: string; total_fees_sent: string; token_offering_locked?: TokenOffering };
export type StxEvent = { event_index: number; tx_id: string; event_type: "stx_asset"; asset: { asset_event_type: "transfer" | "mint" | "burn"; sender: string; recipient: string; amount: string; memo?: string } };
export type StxHolding = { balance: string; total_miner_rewards_received: string; lock_tx_id: string; locked: string; lock_height: number; burnchain_lock_height: number; burnchain_unlock_height: number; estimated_balance?: string; pending_balance_inbound?: string; pending_balance_outbound?: string };
export type StxLock = { amount: string; pox_version: number; lock_tx_id: string; stacks_lock_height: number; burn_lock_height: number; burn_unlock_height: number };
export type StxLockEvent = { event_index: number; type: "stx_lock"; stx_lock: { amount: string; unlock_bitcoin_height: number; address: string } };
export type StxSupply = { unlocked_percent: string; total_stx: string; total_stx_year_2050: string; unlocked_stx: string; block_height: number };
export type StxTotalSupply = { total: string; projected_total_2050: string };
export type StxTransfer = { amount: string; sender: string; recipient: string };
export type SupplySeries = { results: ({ block_height: number; block_time: number; supply: string; holders?: number })[] };
export type TenureChangeMempoolTransaction = { tx_id: string; nonce: number; sponsor_nonce?: number; fee_rate: string; sender_address: string; sponsored: boolean; sponsor_address?: string; post_condition_mode: "allow" | "deny" | "originator"; post_conditions: (PostCondition)[]; anchor_mode: "on_chain_only" | "off_chain_only" | "any"; tx_status: "pending" | "dropped_replace_by_fee" | "dropped_replace_across_fork" | "dropped_too_expensive" | "dropped_stale_garbage_collect" | "dropped_problematic"; state?: "pending" | "success" | "failed"; replaced_by_tx_id: string | null; receipt_time: number; receipt_time_iso: string; size?: number; awaiting_node_report?: true; tx_type: "tenure_change"; tenure_change_payload: TenureChangePayload };
export type TenureChangeMempoolTransactionDetail = { tx_id: string; sender: TransactionSigner; sponsor: TransactionSigner | null; fee_rate: string; receipt_time: number; receipt_block_height: number; status: "pending" | "dropped_replace_by_fee" | "dropped_replace_across_fork" | "dropped_too_expensive" | "dropped_stale_garbage_collect" | "dropped_problematic"; post_conditions?: (PostCondition)[]; replaced_by_tx_id: string | null; type: "tenure_change" };
export type TenureChangeMempoolTransactionSummary = { tx_id: string; sender: TransactionSigner; sponsor: TransactionSigner | null; fee_rate: string; receipt_time: number; receipt_block_height: number; status: "pending" | "dropped_replace_by_fee" | "dropped_replace_across_fork" | "dropped_too_expensive" | "dropped_stale_garbage_collect" | "dropped_problematic"; type: "tenure_change" };
export type TenureChangePayload = { tenure_consensus_hash: string; prev_tenure_consensus_hash: string; burn_view_consensus_hash: string; previous_tenure_end: string; previous_tenure_blocks: number; cause: "block_found" | "extended" | "extended_runtime" | "extended_read_count" | "extended_read_length" | "extended_write_count" | "extended_write_length"; pubkey_hash: string };
export type TenureChangeSummary = { cause: "block_found" | "extended" | "extended_runtime" | "extended_read_count" | "extended_read_length" | "extended_write_count" | "extended_write_length" };
export type TenureChangeTransaction = { tx_id: string; nonce: number; sponsor_nonce?: number; fee_rate: string; sender_address: string; sponsored: boolean; sponsor_address?: string; post_condition_mode: "allow" | "deny" | "originator"; post_conditions: (PostCondition)[]; anchor_mode: "on_chain_only" | "off_chain_only" | "any"; is_unanchored: boolean; block_hash: string; parent_block_hash: string; block_height: number; block_time: number; block_time_iso: string; burn_block_height: number; burn_block_time: number; burn_block_time_iso: string; parent_burn_block_time: number; parent_burn_block_time_iso: string; canonical: boolean; tx_index: number; tx_status: "success" | "abort_by_response" | "abort_by_post_condition" | "problematic_skipped"; state?: "pending" | "success" | "failed"; tx_result: ClarityValue; event_count: number; microblock_hash: string; microblock_sequence: number; microblock_canonical: boolean; execution_cost_read_count: number; execution_cost_read_length: number; execution_cost_runtime: number; execution_cost_write_count: number; execution_cost_write_length: number; vm_error: string | null; events: (TransactionEvent)[]; tx_type: "tenure_change"; tenure_change_payload: TenureChangePayload };
export type TenureChangeTransactionDetail = { tx_id: string; sender: TransactionSigner; sponsor: TransactionSigner | null; fee_rate: string; block: TransactionBlock; bitcoin_block: TransactionBitcoinBlock; status: "success" | "abort_by_response" | "abort_by_post_condition" | "problematic_skipped"; post_conditions?: (PostCondition)[]; parent_block: ParentBlock; event_count: number; execution_cost: ExecutionCost; vm_error: string | null; result?: ClarityValue; type: "tenure_change"; tenure_change: TenureChangePayload };
export type TenureChangeTransactionSummary = { tx_id: string; sender: TransactionSigner; sponsor: TransactionSigner | null; fee_rate: string; block: TransactionBlock; bitcoin_block: TransactionBitcoinBlock; status: "success" | "abort_by_response" | "abort_by_post_condition" | "problematic_skipped"; type: "tenure_change"; tenure_change: TenureChangeSummary };
export type TokenBalance = { token: string; balance: string; metadata?: AssetMetadata };
export type TokenBalancePage = { limit: number; offset: number; total: number; results: (TokenBalance)[]; next_cursor?: string | null; prev_cursor?: string | null };
export type TokenHolder = { principal: string; balance: string };
export type TokenHolderList = { total: number; limit: number; cursor: Cursors; results: (TokenHolder)[] };
export type TokenMetadata = { sip: number; name?: string; description?: string; image?: string; cached_image?: string; cached_thumbnail_image?: string; attributes?: (TokenMetadataAttribute)[]; properties?: { [key: string]: unknown }; localization?: TokenMetadataLocalization };
export type TokenMetadataAttribute = { trait_type: string; value: unknown; display_type?: string };
export type TokenMetadataError = { code: string; message: string; retry_at?: string };
export type TokenMetadataLocalization = { uri: string; default: string; locales: (string)[] };
export type TokenMetadataStatus = { server_version: string; status: string; chain_tip: { block_height: number; index_block_hash: string } | null };
export type TokenMove = { type: "transfer" | "mint" | "burn"; sender: string | null; recipient: string | null; tx_id: string; event_index: number; block_height: number; block_time: number; amount: string };
export type TokenMoveList = { limit: number; cursor: { next: string | null }; results: (TokenMove)[] };
export type TokenOffering = { total_locked: string; total_unlocked: string; unlock_schedule: ({ amount: string; block_height: number })[] };
export type TokenTransfer = { recipient_address: string; amount: string; memo: string };
export type TokenTransferMempoolTransaction = { tx_id: string; nonce: number; sponsor_nonce?: number; fee_rate: string; sender_address: string; sponsored: boolean; sponsor_address?: string; post_condition_mode: "allow" | "deny" | "originator"; post_conditions: (PostCondition)[]; anchor_mode: "on_chain_only" | "off_chain_only" | "any"; tx_status: "pending" | "dropped_replace_by_fee" | "dropped_replace_across_fork" | "dropped_too_expensive" | "dropped_stale_garbage_collect" | "dropped_problematic"; state?: "pending" | "success" | "failed"; replaced_by_tx_id: string | null; receipt_time: number; receipt_time_iso: string; size?: number; awaiting_node_report?: true; tx_type: "token_transfer"; token_transfer: TokenTransfer };
export type TokenTransferMempoolTransactionDetail = { tx_id: string; sender: TransactionSigner; sponsor: TransactionSigner | null; fee_rate: string; receipt_time: number; receipt_block_height: number; status: "pending" | "dropped_replace_by_fee" | "dropped_replace_across_fork" | "dropped_too_expensive" | "dropped_stale_garbage_collect" | "dropped_problematic"; post_conditions?: (PostCondition)[]; replaced_by_tx_id: string | null; type: "token_transfer"; token_transfer: TransferSummary };
export type TokenTransferMempoolTransactionSummary = { tx_id: string; sender: TransactionSigner; sponsor: TransactionSigner | null; fee_rate: string; receipt_time: number; receipt_block_height: number; status: "pending" | "dropped_replace_by_fee" | "dropped_replace_across_fork" | "dropped_too_expensive" | "dropped_stale_garbage_collect" | "dropped_problematic"; type: "token_transfer"; token_transfer: TransferSummary };
export type TokenTransferTransaction = { tx_id: string; nonce: number; sponsor_nonce?: number; fee_rate: string; sender_address: string; sponsored: boolean; sponsor_address?: string; post_condition_mode: "allow" | "deny" | "originator"; post_conditions: (PostCondition)[]; anchor_mode: "on_chain_only" | "off_chain_only" | "any"; is_unanchored: boolean; block_hash: string; parent_block_hash: string; block_height: number; block_time: number; block_time_iso: string; burn_block_height: number; burn_block_time: number; burn_block_time_iso: string; parent_burn_block_time: number; parent_burn_block_time_iso: string; canonical: boolean; tx_index: number; tx_status: "success" | "abort_by_response" | "abort_by_post_condition" | "problematic_skipped"; state?: "pending" | "success" | "failed"; tx_result: ClarityValue; event_count: number; microblock_hash: string; microblock_sequence: number; microblock_canonical: boolean; execution_cost_read_count: number; execution_cost_read_length: number; execution_cost_runtime: number; execution_cost_write_count: number; execution_cost_write_length: number; vm_error: string | null; events: (TransactionEvent)[]; tx_type: "token_transfer"; token_transfer: TokenTransfer };
export type TokenTransferTransactionDetail = { tx_id: string; sender: TransactionSigner; sponsor: TransactionSigner | null; fee_rate: string; block: TransactionBlock; bitcoin_block: TransactionBitcoinBlock; status: "success" | "abort_by_response" | "abort_by_post_condition" | "problematic_skipped"; post_conditions?: (PostCondition)[]; parent_block: ParentBlock; event_count: number; execution_cost: ExecutionCost; vm_error: string | null; result?: ClarityValue; type: "token_transfer"; token_transfer: TransferSummary };
export type TokenTransferTransactionSummary = { tx_id: string; sender: TransactionSigner; sponsor: TransactionSigner | null; fee_rate: string; block: TransactionBlock; bitcoin_block: TransactionBitcoinBlock; status: "success" | "abort_by_response" | "abort_by_post_condition" | "problematic_skipped"; type: "token_transfer"; token_transfer: TransferSummary };
export type Transaction = TokenTransferTransaction | ContractCallTransaction | SmartContractTransaction | CoinbaseTransaction | TenureChangeTransaction | PoisonMicroblockTransaction;
export type TransactionAccepted = string;
export type TransactionBalanceChange = { tx_id: string; asset: { type: "stx" } | { type: "ft" | "nft"; identifier: string }; balance_change: BalanceChangeAmounts };
export type TransactionBalanceChangeList = { total: number; limit: number; cursor: Cursors; results: (TransactionBalanceChange)[] };
export type TransactionBatch = { results: (TransactionSummary)[] };
export type TransactionBitcoinBlock = { height: number; time: number; time_iso?: string };
export type TransactionBlock = { height: number; hash: string; index_hash: string; time: number; time_iso?: string; tx_index: number };
export type TransactionDetail = TokenTransferTransactionDetail | ContractCallTransactionDetail | SmartContractTransactionDetail | CoinbaseTransactionDetail | TenureChangeTransactionDetail | PoisonMicroblockTransactionDetail;
export type TransactionDiagnosis = { tx_id: string; state: "pending" | "success" | "failed" | "dropped" | "orphaned"; tx_status: string; receipt_time?: number; summary: string; reasons: (DiagnosisReason)[]; fee?: { fee_rate: string; percentile: number | null; compared_with: number }; expires?: { receipt_time: number; expires_at: number | null; expires_at_iso: string | null; seconds_left: number | null; tenures_left: number | null } };
export type TransactionEvent = LogEvent | LockEvent | StxEvent | FtEvent | NftEvent;
export type TransactionPage = { limit: number; offset: number; total: number; results: (Transaction)[]; next_cursor?: string | null; prev_cursor?: string | null };
export type TransactionPosition = { tx_id: string; event_index: number };
export type TransactionProof = { txid: string; index_block_hash: string; block_height: number; tx_index: number; raw_tx: string; raw_header: string; tx_merkle_path: ({ position: "left" | "right"; hash: string })[]; canonical: boolean; consensus: { reward_cycle: number; reward_set: { signers: ({ signing_key: string; weight: number })[]; total_weight: number } } | null; signed: { weight: number; total: number; threshold: number; signers: (string)[] } | null };
export type TransactionSentence = { tx_id: string; tx_status: string; text: string; parts: (TransactionSentencePart)[]; complete: boolean };
export type TransactionSentencePart = { kind: "words" | "principal" | "amount" | "block"; text: string; id?: string; amount?: string };
export type TransactionSeries = { results: ({ block_height: number; block_time: number; total: number; count: number; types: { token_transfer: number; smart_contract: number; contract_call: number; poison_microblock: number; coinbase: number; tenure_change: number } })[] };
export type TransactionSigner = { address: string; nonce: number };
export type TransactionSimulation = { tx_id: string; tx_status: "success" | "abort_by_response" | "abort_by_post_condition"; node: string; tip_index_block_hash: string; tip_consensus_hash: string; block_height: number; result: ClarityValue; vm_error: string | null; fee: SimulatedFee; stx_burned: string; execution_cost: ExecutionCost; execution_limit: ExecutionCost; events: (TransactionEvent)[]; balance_changes: (SimulatedBalanceChange)[]; post_conditions: SimulatedPostConditions };
export type TransactionSummary = TokenTransferTransactionSummary | ContractCallTransactionSummary | SmartContractTransactionSummary | CoinbaseTransactionSummary | TenureChangeTransactionSummary | PoisonMicroblockTransactionSummary;
export type TransactionSummaryList = { total: number; limit: number; cursor: Cursors; results: (TransactionSummary)[] };
export type TransferFeeRate = number;
export type TransferSummary = { recipient: string; amount: string; memo: Memo | null };
export type UnanchoredTransactions = { total: number; results: (Transaction)[] };
export type UnclaimedRewards = { btc: string };
export type UncoveredAsset = { principal: string; asset: { type: "stx" } | { type: "ft" | "nft"; identifier: string }; amount: string; value?: ClarityValue };
export type UnknownItem = { kind: string; name: string; events: number; last_event: number };
export type WebhookStatus = { name: string; state: "active" | "failing" | "paused" | "disabled" | "expired"; block_height: number; backlog_blocks: number; delivered_at: string | null };
export type WebhooksStatus = { webhooks: (WebhookStatus)[] };
export type Zonefile = { zonefile: string };
