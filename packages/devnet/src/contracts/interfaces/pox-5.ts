/** The definitions of pox-5, in the notation of `readOutline`. */
export const pox5Outline = `
(released Epoch40 Clarity6)
(type read-position {index: uint, txbuff: (buff 4096)})
(type outpoint {output-index: uint, txid: (buff 32)})
(type earnings {earned: uint, rewards-per-token: uint})
(type bond-earnings {bond-index: uint, earned: uint, rewards-per-token: uint})
(type leaving {first-reward-cycle: uint, is-stx-staking: bool, staker: principal})
(type signer-period {bond-index: (optional uint), reward-cycle: uint, signer: principal})
(type bonds-check {bond-periods: (list 6 uint), calculation-height: uint, latest-bond-index: uint})
(type staker-period {bond-index: (optional uint), reward-cycle: uint, signer: principal, staker: principal})
(type membership {amount-sats: uint, amount-ustx: uint, bond-index: uint, is-l1-lock: bool, signer: principal})
(type share {amount-sats: uint, bond-index: uint, first-reward-cycle: uint, signer: principal, staker: principal})
(type stake-share {amount-ustx: uint, first-reward-cycle: uint, is-stx-staking: bool, signer: principal, staker: principal})
(type withdrawal {amount-to-withdrawal-sats: uint, bond-index: uint, first-reward-cycle: uint, new-amount-sats: uint, staker:
  principal})
(type bond-claim {bond-rewards: (list 6 bond-earnings), reward-cycle: uint, signer: principal, total: uint})
(type distribution {available-rewards: uint, calculation-height: uint, last-bond-index: (optional uint),
  last-bond-stx-value-ratio: (optional uint), reward-cycle: uint})
(type lockup {amount: uint, header: (buff 80), height: uint, leaf-hashes: (list 14 (buff 32)), output-index: uint, tx: (buff
  100000), tx-count: uint, tx-index: uint, unlock-burn-height: uint})
(type lockup-check {early-unlock-bytes: (buff 683), minimum-unlock-height: uint, seen-outpoints: (list 10 outpoint), staker:
  principal, staker-unlock-bytes: (buff 683), sum: uint})
(type lockups {outputs: (list 10 lockup), staker-unlock-bytes: (buff 683)})
(public announce-l1-early-exit ((staker principal) (old-signer-manager <contract>)) (response {amount-sats-released: uint,
  bond-index: uint, signer: principal, staker: principal} uint))
(public calculate-rewards ((bond-periods (list 6 uint))) (response {accrued-rewards-per-ustx: uint, bond-periods: (list 6
  uint), calculation-height: uint, cumulative-rewards-per-ustx: uint, cycle-staked-ustx: uint, gross-accrued-rewards: uint,
  reserve-balance: uint, reserve-deposit: uint, stx-cycle: uint, total-bond-rewards: uint, total-stx-staker-rewards: uint}
  uint))
(public claim-rewards ((bond-periods (list 6 uint)) (reward-cycle uint)) (response {bond-rewards: (list 6 bond-earnings),
  bond-totals: uint, stx-rewards: earnings, total-rewards: uint} uint))
(public claim-staker-rewards-for-signer ((staker principal) (reward-cycle uint) (bond-index (optional uint))) (response
  earnings uint))
(public grant-signer-key ((signer-key (buff 33)) (signer-manager principal) (auth-id uint) (signer-sig (buff 65))) (response
  {auth-id: uint, signer-key: (buff 33), signer-manager: principal} uint))
(public pause-rewards () (response bool uint))
(public register-for-bond ((bond-index uint) (signer-manager <contract>) (amount-ustx uint) (btc-lockup (response lockups
  uint)) (signer-calldata (optional (buff 500)))) (response {amount-ustx: uint, bond-index: uint, btc-lockup: {txs: (optional
  (list 10 outpoint)), type: (string-ascii 2)}, first-reward-cycle: uint, is-l1-lock: bool, sats-total: uint, signer:
  principal, staker: principal, unlock-burn-height: uint, unlock-cycle: uint} uint))
(public register-signer ((signer-manager <contract>) (signer-key (buff 33))) (response {signer: principal, signer-key: (buff
  33)} uint))
(public revoke-signer-grant ((signer-manager principal) (signer-key (buff 33))) (response {existed: bool, signer-key: (buff
  33), signer-manager: principal} uint))
(public set-bond-admin ((new-admin principal)) (response {new-admin: principal, old-admin: principal} uint))
(public set-burnchain-parameters ((first-burn-height uint) (prepare-cycle-length uint) (reward-cycle-length uint)
  (begin-pox5-reward-cycle uint)) (response bool never))
(public set-pause-admin ((new-admin principal)) (response {new-admin: principal, old-admin: principal} uint))
(public setup-bond ((bond-index uint) (target-rate uint) (stx-value-ratio uint) (min-ustx-ratio uint) (early-unlock-bytes
  (buff 683)) (allowlist (list 1000 {max-sats: uint, staker: principal}))) (response {bond-index: uint, early-unlock-bytes:
  (buff 683), max-allocation-sats: uint, min-ustx-ratio: uint, stx-value-ratio: uint, target-rate: uint} uint))
(public stake ((signer-manager <contract>) (amount-ustx uint) (num-cycles uint) (start-burn-ht uint) (signer-calldata
  (optional (buff 500)))) (response {amount-ustx: uint, first-reward-cycle: uint, num-cycles: uint, signer: principal, staker:
  principal, unlock-burn-height: uint, unlock-cycle: uint} uint))
(public stake-update ((signer-manager <contract>) (old-signer-manager <contract>) (cycles-to-extend uint) (amount-increase
  uint) (signer-calldata (optional (buff 500)))) (response {amount-increase: uint, amount-ustx: uint, cycles-to-extend: uint,
  num-cycles: uint, old-signer: principal, prev-unlock-height: uint, signer: principal, staker: principal, unlock-burn-height:
  uint, unlock-cycle: uint} uint))
(public unstake ((old-signer-manager <contract>)) (response {amount-ustx: uint, first-reward-cycle: uint, signer: principal,
  staker: principal, unlock-burn-height: uint, unlock-cycle: uint} uint))
(public unstake-sbtc ((signer-manager <contract>) (amount-to-withdrawal-sats uint)) (response {amount-withdrawn-sats: uint,
  bond-index: uint, new-amount-sats: uint, signer: principal, staker: principal} uint))
(public update-bond-registration ((signer-manager <contract>) (old-signer-manager <contract>) (signer-calldata (optional (buff
  500)))) (response {amount-sats: uint, amount-ustx: uint, bond-index: uint, first-reward-cycle: uint, is-l1-lock: bool,
  num-cycles: uint, old-signer: principal, signer: principal, staker: principal} uint))
(read-only assert-all-active-bonds-included ((bond-periods (list 6 uint)) (calculation-height uint)) (response bool uint))
(read-only bond-overlaps-new-position? ((existing-membership (optional membership)) (new-first-reward-cycle uint)) bool)
(read-only bond-period-to-burn-height ((bond-index uint)) uint)
(read-only bond-period-to-reward-cycle ((bond-index uint)) uint)
(read-only burn-height-to-distribution-index ((height uint)) uint)
(read-only burn-height-to-reward-cycle ((height uint)) uint)
(read-only check-pox-lock-period ((lock-period uint)) bool)
(read-only clamp ((value uint) (min uint) (max uint)) uint)
(read-only compute-earned-rewards ((shares uint) (rpt-current uint) (rpt-paid uint) (pending uint)) uint)
(read-only construct-lockup-output-script ((staker principal) (unlock-burn-height uint) (staker-unlock-bytes (buff 683))
  (early-unlock-bytes (buff 683))) (response (buff 34) uint))
(read-only construct-lockup-script ((staker principal) (unlock-burn-height uint) (staker-unlock-bytes (buff 683))
  (early-unlock-bytes (buff 683))) (response (buff 2437) uint))
(read-only current-distribution-cycle () uint)
(read-only current-pox-reward-cycle () uint)
(read-only distribution-cycle-to-burn-height ((cycle uint)) uint)
(read-only get-amount-delegated-for-signer ((signer principal) (cycle uint)) uint)
(read-only get-bc-h-hash ((bh uint)) (optional (buff 32)))
(read-only get-bond-allowance ((bond-index uint) (staker principal)) (optional uint))
(read-only get-bond-l1-unlock-height ((bond-index uint)) uint)
(read-only get-bond-membership ((staker principal)) (optional membership))
(read-only get-earned ((signer principal) (reward-cycle uint) (bond-index (optional uint))) uint)
(read-only get-earned-staker-rewards ((signer principal) (reward-cycle uint) (bond-index (optional uint)) (staker principal))
  uint)
(read-only get-first-pox-5-reward-cycle () uint)
(read-only get-last-accounted-rewards-only () uint)
(read-only get-last-reward-compute-height () uint)
(read-only get-new-rewards () uint)
(read-only get-pox-info () (response {first-burnchain-block-height: uint, min-amount-ustx: uint, prepare-cycle-length: uint,
  reward-cycle-id: uint, reward-cycle-length: uint, total-liquid-supply-ustx: uint} never))
(read-only get-protocol-bond ((bond-index uint)) (optional {early-unlock-bytes: (buff 683), min-ustx-ratio: uint,
  stx-value-ratio: uint, target-rate: uint}))
(read-only get-reserve-balance () uint)
(read-only get-reversed-txid ((tx (buff 100000))) (buff 32))
(read-only get-rewards () uint)
(read-only get-rewards-per-token-for-cycle ((reward-cycle uint) (bond-index (optional uint))) uint)
(read-only get-signer-cycle-membership ((staker principal) (cycle uint)) (optional {amount-ustx: uint, signer: principal}))
(read-only get-signer-grant-message-hash ((signer-manager principal) (auth-id uint)) (buff 32))
(read-only get-signer-info ((signer principal)) (optional (buff 33)))
(read-only get-signer-pending-staked-ustx-per-cycle ((signer principal) (cycle uint)) uint)
(read-only get-signer-rewards-per-token-for-cycle ((signer principal) (reward-cycle uint) (bond-index (optional uint))) uint)
(read-only get-signer-rewards-per-token-settled-for-cycle ((signer principal) (reward-cycle uint) (bond-index (optional
  uint))) uint)
(read-only get-signer-set-first-item-for-cycle ((cycle uint)) (optional principal))
(read-only get-signer-set-item-for-cycle ((signer principal) (cycle uint)) (optional {next: (optional principal), prev:
  (optional principal)}))
(read-only get-signer-set-last-item-for-cycle ((cycle uint)) (optional principal))
(read-only get-signer-set-next-item-for-cycle ((signer principal) (cycle uint)) (optional principal))
(read-only get-signer-set-prev-item-for-cycle ((signer principal) (cycle uint)) (optional principal))
(read-only get-signer-shares-staked-for-cycle ((signer principal) (reward-cycle uint) (bond-index (optional uint))) uint)
(read-only get-signer-unclaimed-rewards-for-cycle ((signer principal) (reward-cycle uint) (bond-index (optional uint))) uint)
(read-only get-staker-custodied-sbtc ((staker principal)) uint)
(read-only get-staker-info ((staker principal)) (optional {amount-ustx: uint, first-reward-cycle: uint, num-cycles: uint,
  signer: principal}))
(read-only get-staker-rewards-per-token-settled-for-cycle ((signer principal) (reward-cycle uint) (bond-index (optional uint))
  (staker principal)) uint)
(read-only get-staker-shares-staked-for-cycle ((staker principal) (reward-cycle uint) (bond-index (optional uint)) (signer
  principal)) uint)
(read-only get-staker-unclaimed-rewards-for-cycle ((signer principal) (reward-cycle uint) (bond-index (optional uint)) (staker
  principal)) uint)
(read-only get-total-sbtc-staked () uint)
(read-only get-total-sbtc-staked-for-bond ((bond-index uint)) uint)
(read-only get-total-shares-staked-for-cycle ((reward-cycle uint) (bond-index (optional uint))) uint)
(read-only get-total-ustx-stacked ((reward-cycle uint)) uint)
(read-only get-ustx-delegated-for-cycle ((reward-cycle uint)) uint)
(read-only has-announced-l1-early-exit ((bond-index uint) (staker principal)) bool)
(read-only is-bond-active-at-height ((bond-index uint) (calculation-height uint)) bool)
(read-only is-in-prepare-phase ((current-cycle uint)) bool)
(read-only min-ustx-for-sats-amount ((sats-amount uint) (stx-value-ratio uint) (min-ustx-ratio uint)) uint)
(read-only parse-block-header ((headerbuff (buff 80))) (response {merkle-root: (buff 32), nbits: uint, nonce: uint, parent:
  (buff 32), timestamp: uint, version: uint} uint))
(read-only push-c-script-num ((n uint)) (response (buff 1027) uint))
(read-only push-script-bytes ((bytes (buff 1024))) (buff 1027))
(read-only read-hashslice ((old-ctx read-position)) (response {ctx: read-position, hashslice: (buff 32)} uint))
(read-only read-uint32 ((ctx read-position)) (response {ctx: read-position, uint32: uint} uint))
(read-only reverse-buff32 ((input (buff 32))) (buff 32))
(read-only reward-cycle-to-burn-height ((cycle uint)) uint)
(read-only serialize-c-script-num ((n uint)) (response (buff 5) uint))
(read-only signer-set-contains-for-cycle ((signer principal) (cycle uint)) bool)
(read-only uint-to-buff-le ((n uint)) (buff 2))
(read-only verify-block-header ((headerbuff (buff 80)) (expected-block-height uint)) bool)
(read-only verify-signer-key-grant ((signer-manager principal) (signer-key (buff 33))) (response bool uint))
(private add-signer-to-set-for-cycle ((signer principal) (cycle uint)) bool)
(private add-staker-to-bond ((staker-item {max-sats: uint, staker: principal}) (accumulator-res (response {bond-index: uint,
  sum-max-sats: uint} uint))) (response {bond-index: uint, sum-max-sats: uint} uint))
(private add-staker-to-bond-cycles ((staker principal) (signer principal) (bond-index uint) (first-reward-cycle uint)
  (num-cycles uint) (amount-sats uint)) (response share uint))
(private add-staker-to-bond-for-cycle ((cycle-index uint) (accumulator-res (response share uint))) (response share uint))
(private add-staker-to-signer-cycles ((staker principal) (signer principal) (first-reward-cycle uint) (num-cycles uint)
  (amount-ustx uint) (is-stx-staking bool)) (response stake-share uint))
(private add-staker-to-signer-for-cycle ((cycle-index uint) (accumulator-res (response stake-share uint))) (response
  stake-share uint))
(private assert-active-bond-included ((offset uint) (acc-res (response bonds-check uint))) (response bonds-check uint))
(private calculate-bond-rewards ((bond-index uint) (accumulator-res (response distribution uint))) (response distribution
  uint))
(private get-l1-lockup-summary ((lockup lockup)) outpoint)
(private match-uint-in-list ((item uint) (acc {found: bool, needle: uint})) {found: bool, needle: uint})
(private remove-staker-from-bond-cycles ((staker principal) (signer principal) (bond-index uint) (first-reward-cycle uint)
  (num-cycles uint) (amount-sats uint)) (response share uint))
(private remove-staker-from-bond-for-cycle ((cycle-index uint) (accumulator-res (response share uint))) (response share uint))
(private remove-staker-from-cycles ((staker principal) (first-reward-cycle uint) (num-cycles uint) (is-stx-staking bool))
  (response leaving uint))
(private remove-staker-from-set-for-cycle ((signer principal) (cycle uint)) (response bool uint))
(private remove-staker-from-signer-for-cycle ((cycle-index uint) (accumulator-res (response leaving uint))) (response leaving
  uint))
(private reverse-buff16 ((input (buff 16))) (buff 17))
(private roll-sbtc ((staker principal) (old-sbtc uint) (new-sbtc uint)) (response bool uint))
(private settle-rewards ((signer principal) (reward-cycle uint) (bond-index (optional uint))) earnings)
(private settle-staker-rewards ((signer principal) (reward-cycle uint) (bond-index (optional uint)) (staker principal))
  earnings)
(private signer-manager-validate-stake ((signer-manager <contract>) (staker principal) (first-index uint) (num-indexes uint)
  (amount-ustx uint) (amount-sats uint) (is-bond bool) (signer-calldata (optional (buff 500)))) (response bool uint))
(private transfer-from-reserve ((amount uint) (recipient principal)) (response bool uint))
(private transfer-stranded-rewards ((amount uint) (recipient principal)) (response bool uint))
(private unstake-sats-from-bond-cycle ((cycle-index uint) (accumulator-res (response withdrawal uint))) (response withdrawal
  uint))
(private unstake-sats-from-bond-cycles ((staker principal) (bond-index uint) (first-reward-cycle uint) (num-cycles uint)
  (amount-to-withdrawal-sats uint) (new-amount-sats uint)) (response withdrawal uint))
(private update-claimable-bond-rewards ((bond-index uint) (accumulator bond-claim)) bond-claim)
(private update-claimable-rewards ((signer principal) (reward-cycle uint) (bond-index (optional uint))) earnings)
(private validate-l1-lockup ((lockup lockup) (accumulator-res (response lockup-check uint))) (response lockup-check uint))
(private validate-no-reentrancy () (response bool uint))
(private verify-bond-rollover-window ((existing-membership (optional membership))) (response bool uint))
(private verify-l1-lockups ((staker principal) (bond-index uint) (lockups lockups)) (response uint uint))
(private verify-not-prepare-phase () (response bool uint))
(map protocol-bond-allowances {bond-index: uint, staker: principal} uint)
(map protocol-bond-l1-early-exit-announced {bond-index: uint, staker: principal} bool)
(map protocol-bond-memberships principal membership)
(map protocol-bonds uint {early-unlock-bytes: (buff 683), min-ustx-ratio: uint, stx-value-ratio: uint, target-rate: uint})
(map protocol-bonds-total-staked uint uint)
(map rewards-per-token-for-cycle {bond-index: (optional uint), reward-cycle: uint} uint)
(map signer-delegated-per-cycle {cycle: uint, signer: principal} uint)
(map signer-key-grants {signer-key: (buff 33), signer-manager: principal} bool)
(map signer-pending-staked-ustx-per-cycle {cycle: uint, signer: principal} uint)
(map signer-rewards-per-token-for-cycle signer-period uint)
(map signer-rewards-per-token-settled-for-cycle signer-period uint)
(map signer-set-ll-first-for-cycle uint principal)
(map signer-set-ll-for-cycle {cycle: uint, signer: principal} {next: (optional principal), prev: (optional principal)})
(map signer-set-ll-last-for-cycle uint principal)
(map signer-shares-staked-for-cycle signer-period uint)
(map signer-unclaimed-rewards-for-cycle signer-period uint)
(map signers principal (buff 33))
(map staker-info principal {amount-ustx: uint, first-reward-cycle: uint, num-cycles: uint, signer: principal})
(map staker-rewards-per-token-settled-for-cycle staker-period uint)
(map staker-shares-staked-for-cycle staker-period uint)
(map staker-signer-cycle-memberships {cycle: uint, staker: principal} {amount-ustx: uint, signer: principal})
(map staker-unclaimed-rewards-for-cycle staker-period uint)
(map total-shares-staked-for-cycle {bond-index: (optional uint), reward-cycle: uint} uint)
(map used-signer-key-grants {auth-id: uint, signer-key: (buff 33), signer-manager: principal} bool)
(map ustx-delegated-per-cycle uint uint)
(constants uint BITCOIN_LOCKTIME_THRESHOLD BOND_GAP_CYCLES BOND_LENGTH_CYCLES MAX_NUM_CYCLES PRECISION RESERVE_RATIO
  SIGNER_SET_MIN_USTX)
(constants (response never uint) ERR_ACTIVE_BOND_NOT_INCLUDED ERR_ALREADY_REGISTERED ERR_ALREADY_STAKED ERR_BOND_ALREADY_SETUP
  ERR_BOND_ALREADY_STARTED ERR_BOND_NOT_ACTIVE ERR_BOND_NOT_FOUND ERR_CANNOT_ANNOUNCE_L1_EARLY_UNLOCK
  ERR_CANNOT_SETUP_BOND_TOO_LATE ERR_CANNOT_SETUP_BOND_TOO_SOON ERR_CANNOT_UNSTAKE_SBTC ERR_DISTRIBUTION_ALREADY_COMPUTED
  ERR_DUPLICATE_LOCKUP_OUTPOINT ERR_INSUFFICIENT_RESERVE_BALANCE ERR_INSUFFICIENT_STX ERR_INVALID_BOND_PERIOD_ORDERING
  ERR_INVALID_BTC_HEADER ERR_INVALID_LOCKUP_AMOUNT ERR_INVALID_LOCKUP_SCRIPT ERR_INVALID_MERKLE_PROOF ERR_INVALID_NUM_CYCLES
  ERR_INVALID_OLD_SIGNER_MANAGER ERR_INVALID_SIGNATURE_PUBKEY ERR_INVALID_SIGNATURE_RECOVER ERR_INVALID_START_BURN_HEIGHT
  ERR_INVALID_UNLOCK_HEIGHT ERR_INVALID_UNSTAKE_SBTC_AMOUNT ERR_L1_EARLY_EXIT_ALREADY_ANNOUNCED ERR_NOT_ALLOWLISTED
  ERR_NOT_BOND_PARTICIPANT ERR_NOT_STAKING ERR_NO_CLAIMABLE_REWARDS ERR_READ_TX_OUT_OF_BOUNDS ERR_REENTRANT_CALL
  ERR_REWARDS_PAUSED ERR_ROLLOVER_TOO_EARLY ERR_SIGNER_KEY_GRANT_NOT_FOUND ERR_SIGNER_KEY_GRANT_USED ERR_SIGNER_NOT_FOUND
  ERR_STAKER_ALREADY_ADDED ERR_STAKE_IN_PREPARE_PHASE ERR_TOO_MUCH_SATS ERR_UNAUTHORIZED ERR_UNAUTHORIZED_SIGNER_REGISTRATION
  ERR_UNSTAKE_IN_PREPARE_PHASE ERR_UPDATE_BOND_SAME_SIGNER)
(constants {chain-id: uint, name: (string-ascii 12), version: (string-ascii 5)} POX_5_SIGNER_DOMAIN)
(constants (buff 6) SIP018_MSG_PREFIX)
(constants (buff 1) STACKS_ADDR_VERSION_MAINNET STACKS_ADDR_VERSION_TESTNET)
(variables principal bond-admin pause-admin)
(variables bool configured rewards-paused signer-manager-call-active)
(variables uint first-bond-period-cycle first-burnchain-block-height first-pox-5-reward-cycle last-accounted-rewards-only
  last-reward-compute-height pox-prepare-cycle-length pox-reward-cycle-length reserve-balance total-sbtc-staked)
`;
