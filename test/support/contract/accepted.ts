/** Differences from a version of the incumbent's document that stay, with the reason. */
export type Accepted = { reason: string; differences: readonly (string | RegExp)[] };

const minedOrPending = '(TokenTransfer|ContractCall|SmartContract|Coinbase|TenureChange|PoisonMicroblock)';

/** Accepted in comparison with either version. */
const both: readonly Accepted[] = [
  {
    reason: 'Ours: name, symbol and decimals beside tokens, where a client asks for them.',
    differences: [/ query metadata: only in ours$/, /\.metadata: only in ours, optional$/],
  },
  {
    reason: 'Ours: the state in one word beside the exact status, where a client asks for it.',
    differences: [/ query include_state: only in ours$/, /Transaction\.state: only in ours, optional$/],
  },
  {
    reason: 'Ours: the bytes of a pending transaction, where a client asks for them.',
    differences: [/ query include_size: only in ours$/, /MempoolTransaction\.size: only in ours, optional$/],
  },
  {
    reason: 'Ours: Clarity values as plain JSON, where a client asks for it.',
    differences: [/\.json: only in ours, optional$/],
  },
  {
    reason: 'Ours: what was after any block, by its height or hash.',
    differences: [/ query at_block: only in ours$/],
  },
  {
    reason: 'Ours: filters, with which a total is null, and walks by cursor beside offsets, for who uses them.',
    differences: [
      / query (from_height|to_height|from_time|to_time|sender|recipient|contract|function|status|asset|event_type|min_amount|topic|cursor): only in ours$/,
      /\.(next_cursor|prev_cursor): only in ours, optional$/,
      /\.total: type integer, ours integer\|null$/,
    ],
  },
  {
    reason: 'Positions and heights are columns of a certain width; beyond them a 400 names the parameter.',
    differences: [
      / query (offset|event_offset): maximum undefined, ours 9007199254740991$/,
      / (query|path) \w*(height|block|cycle_number|timestamp): (maximum undefined, ours 2147483647|minimum undefined, ours -2147483648)$/,
      / query page: maximum undefined, ours 20000000$/,
    ],
  },
  {
    reason: 'Pages are numbered from 0 in whole numbers; anything else was a failure of the database.',
    differences: [
      'GET /v1/namespaces/{tld}/names query page: default undefined, ours 0',
      'GET /v1/namespaces/{tld}/names query page: minimum undefined, ours 0',
      'GET /v1/namespaces/{tld}/names query page: type number, ours integer',
    ],
  },
  {
    reason: 'A time or a version is a whole number.',
    differences: [
      /\.(block_time|burn_block_time|time): type number, ours integer$/,
      /\.clarity_version: type null\|number, ours integer\|null$/,
    ],
  },
  {
    reason: 'Always sent, though it need not be.',
    differences: [
      /^(AddressStxBalance|StxBalance)\.total_(fees_sent|received|sent): optional, ours required$/,
      /^AddressTransactionWithTransfers\.n?ft_transfers: optional, ours required$/,
      /^AddressTransactionWithTransfers(Stx|Ft|Nft)TransfersItem\.(sender|recipient): optional, ours required$/,
      'CoinbaseTransactionCoinbasePayload.alt_recipient: optional, ours required',
      'ContractSearchResult.tx_data: optional, ours required',
      'NonFungibleTokenHistoryEvent.sender: optional, ours required',
    ],
  },
  {
    reason:
      'Never sent there, and need not be: the shorter forms of these routes, and grace periods under another route.',
    differences: [
      /^StxBalance\.total_(fees_sent|received|sent): optional, not in ours$/,
      /^AddressTransactionWithTransfers\.n?ft_transfers: optional, not in ours$/,
      'BnsGetNameInfoResponse.grace_period: optional, not in ours',
    ],
  },
  {
    reason: 'Never null: the key is absent, or an empty hash stands there.',
    differences: [
      'ApiStatusResponse.chain_tip: type null|object, ours object',
      'CoinbaseTransactionCoinbasePayload.vrf_proof: type null|string, ours string',
      'Microblock.block_hash: type null|string, ours string',
    ],
  },
  {
    reason: 'Only these values are ever sent.',
    differences: [
      'BnsGetNameInfoResponse.blockchain: any value, ours only stacks',
      'BnsGetNamespacePriceResponse.units: any value, ours only STX',
      'NonFungibleTokenHistoryEvent.asset_event_type: any value, ours only transfer|mint|burn',
      'SmartContractLogTransactionEventVariant2ContractLog.topic: any value, ours only print',
      'GET /extended/v1/search/{id} 404.result.entity_type: values tx_id|mempool_tx_id|block_hash not in ours',
    ],
  },
  {
    reason: 'The keys are known: a count and a statistic of each type that can be pending.',
    differences: [
      /^MempoolTransactionStatsResponse(\.tx_type_counts|TxSimpleFeeAverages)\.\*: any key, not in ours$/,
      /^MempoolTransactionStatsResponse(\.tx_type_counts|TxSimpleFeeAverages)\.\w+: only in ours, required$/,
    ],
  },
  {
    reason: 'Errors have one shape everywhere; the keys that a route does not send are optional.',
    differences: [
      /^ErrorResponse\.(code|statusCode): only in ours, optional$/,
      /^GET \/v1\/[^ ]+ 4XX\.(code|message|statusCode): only in ours, optional$/,
      /^GET \/v2\/prices\/[^ ]+ 400\.message: only in ours, optional$/,
      'RunFaucetBtcResponse4XX.help: only in ours, optional',
    ],
  },
  {
    reason: 'More than the incumbent answers; nothing changes for who does not use it.',
    differences: [
      'GET /extended/v1/tokens/nft/holdings query unanchored: only in ours',
      'GET /extended/v1/tx/ query status: only in ours',
      'GET /extended/v2/addresses/{address}/transactions query cursor: only in ours',
      'GET /extended/v2/blocks/{height_or_hash}/transactions query exclude_function_args: only in ours',
      new RegExp(`^${minedOrPending}MempoolTransaction\\.awaiting_node_report: only in ours, optional$`),
      'StxBalance.token_offering_locked: only in ours, optional',
      /^GET \/extended\/v1\/\{pox\}\/[^ ]+ 200: application\/json only in ours$/,
    ],
  },
  {
    reason: 'Declared as required beside a default, and answered without it: it is optional.',
    differences: [
      /^GET \/extended\/v1\/tokens\/nft\/(history|holdings|mints) query tx_metadata: required, ours optional$/,
    ],
  },
  {
    reason:
      'The default is the same. Declared, it would look like a wish of the caller where `status=pending` leads on.',
    differences: ['GET /extended/v1/tx/ query sort_by: default block_height, ours undefined'],
  },
  {
    reason: 'A body with an address is refused there by both; describing it would invite it.',
    differences: ['POST /extended/v1/faucets/stx body: application/json, not in ours'],
  },
];

/** By version of the incumbent. */
export const accepted: Record<8 | 9, readonly Accepted[]> = {
  8: [
    ...both,
    {
      reason: 'Values of version 9, which the chain can carry.',
      differences: [
        new RegExp(`^${minedOrPending}(Mempool)?Transaction\\.post_condition_mode: values originator only in ours$`),
        'PostConditionNonFungible.condition_code: values maybe_sent only in ours',
        /^PostCondition\(type=(pox|staking)\): only in ours$/,
        /^TransactionOrMempoolTransaction\(tx_type=\w+\)\(tx_status=problematic_skipped\): only in ours$/,
        'TransactionStatus: values problematic_skipped only in ours',
      ],
    },
    {
      reason: 'Always sent as text, as version 9 declares it.',
      differences: [
        /^GET \/extended\/v1\/stx_supply\/(circulating|total)\/plain 200: (application\/json, not in ours|text\/plain only in ours)$/,
      ],
    },
    {
      reason: 'Cursors of version 9 come when they are asked for.',
      differences: [
        /^GET \/extended\/v2\/addresses\/\{address\}\/transactions 200\.(next_|prev_)?cursor: only in ours, optional$/,
      ],
    },
    {
      reason: 'Always sent, null while unknown.',
      differences: [/^ApiStatusResponse\.pox_v[123]_unlock_height: optional, ours required$/],
    },
  ],
  9: [
    ...both,
    {
      reason: 'Ours: positions of the stakers of a signer: sent if `cycle` or `include` asks for them.',
      differences: [/\/stakers query cycle: only in ours$/, /^SignerStaker\.\w+: only in ours, optional$/],
    },
    {
      reason: 'Added to version 3 after release 9.0, which this document describes.',
      differences: [
        /^V3Tx(Block|BitcoinBlock)\.time_iso: only in ours, optional$/,
        /^BondScheduleActivation\.(projected_)?time(_iso)?: only in ours, optional$/,
        'BondSchedule.enrollment_cutoff: only in ours, optional',
        'BondBalances.rewards: only in ours, optional',
        'GET /extended/v3/principals/{principal}/balances/nft query asset_identifier: only in ours',
        'GET /extended/v3/staking/cycles/{cycle_number}/signers path cycle_number: only current, ours any value',
      ],
    },
    {
      reason: 'Ours: who seems to have paid a block commit, where a client asks for it.',
      differences: [/ query include: only in ours$/, 'BurnBlockPoxTx.payer: only in ours, optional'],
    },
    {
      reason: 'A bond has a small number, in a column of a certain width.',
      differences: [/ path bond_index: (maximum|minimum) undefined, ours -?\d+$/],
    },
    {
      reason: 'Deprecated since version 9 in favour of version 3 routes. Here they stay, and version 8 decides.',
      differences: [/^GET \/extended\/v[12]\/[^ ]*: deprecated, ours is not$/],
    },
    {
      reason: 'Version 1 and 2 routes answer as version 8: cursors come when they are asked for.',
      differences: [
        /^GET \/extended\/v2\/addresses\/\{address\}\/transactions 200\.(next_|prev_)?cursor: required, ours optional$/,
      ],
    },
    {
      reason: 'Version 8 has these heights, and its clients read them.',
      differences: [/^ApiStatusResponse\.pox_v[123]_unlock_height: only in ours, required$/],
    },
    {
      reason: 'Declared as any keys with texts; what is sent is the usual error.',
      differences: [
        /^GET \/v1\/(names\/\{name\}|namespaces\/\{tld\}\/names) 4XX\.(\*: any key, not in ours|error: only in ours, required)$/,
      ],
    },
    {
      reason: 'Ours: logs by block, sender and value. Then nothing is counted, and `total` is null.',
      differences: [
        /\/logs query (from_height|to_height|from_time|to_time|sender|topic): only in ours$/,
        /\/logs 200.*total: /,
      ],
    },
    {
      reason:
        'Ours: transactions and transfers of an account by blocks and filters. Then nothing is counted, and `total` is null.',
      differences: [
        /^GET \/extended\/v3\/principals\/\{principal\}\/(transactions|transfers\/[^ ]+) query (from_height|to_height|from_time|to_time|sender|recipient|contract|function|status|min_amount): only in ours$/,
        /^GET \/extended\/v3\/principals\/\{principal\}\/(transactions|transfers\/[^ ]+) 200.*total: /,
      ],
    },
    {
      reason: 'A negative offset was a failure of the database, and is a 400.',
      differences: ['GET /extended/v2/smart-contracts/{contract_id}/logs query offset: minimum -1000, ours 0'],
    },
  ],
};

/** What no entry names, and the entries that name nothing. */
export function unexplained(differences: readonly string[], entries: readonly Accepted[]) {
  const patterns = entries.flatMap(entry => entry.differences);
  const fits = (line: string) => (pattern: string | RegExp) =>
    typeof pattern === 'string' ? pattern === line : pattern.test(line);
  return {
    differences: differences.filter(line => !patterns.some(fits(line))),
    stale: patterns.filter(pattern => !differences.some(line => fits(line)(pattern))).map(String),
  };
}
