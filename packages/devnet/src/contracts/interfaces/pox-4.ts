/** The definitions of pox-4, in the notation of `readOutline`. */
export const pox4Outline = `
(released Epoch25 Clarity2)
(type address {hashbytes: (buff 32), version: (buff 1)})
(type partial {pox-addr: address, reward-cycle: uint, sender: principal})
(type delegation {amount-ustx: uint, delegated-to: principal, pox-addr: (optional address), until-burn-ht: (optional uint)})
(type authorization {auth-id: uint, max-amount: uint, period: uint, pox-addr: address, reward-cycle: uint, signer-key: (buff
  33), topic: (string-ascii 14)})
(type stacking {delegated-to: (optional principal), first-reward-cycle: uint, lock-period: uint, pox-addr: address,
  reward-set-indexes: (list 12 uint)})
(type slots {amount-ustx: uint, first-reward-cycle: uint, i: uint, num-cycles: uint, pox-addr: address, reward-set-indexes:
  (list 12 uint), signer: (buff 33), stacker: (optional principal)})
(public allow-contract-caller ((caller principal) (until-burn-ht (optional uint))) (response bool int))
(public delegate-stack-extend ((stacker principal) (pox-addr address) (extend-count uint)) (response {stacker: principal,
  unlock-burn-height: uint} int))
(public delegate-stack-increase ((stacker principal) (pox-addr address) (increase-by uint)) (response {stacker: principal,
  total-locked: uint} int))
(public delegate-stack-stx ((stacker principal) (amount-ustx uint) (pox-addr address) (start-burn-ht uint) (lock-period uint))
  (response {lock-amount: uint, stacker: principal, unlock-burn-height: uint} int))
(public delegate-stx ((amount-ustx uint) (delegate-to principal) (until-burn-ht (optional uint)) (pox-addr (optional
  address))) (response bool int))
(public disallow-contract-caller ((caller principal)) (response bool int))
(public revoke-delegate-stx () (response (optional delegation) int))
(public set-burnchain-parameters ((first-burn-height uint) (prepare-cycle-length uint) (reward-cycle-length uint)
  (begin-pox-4-reward-cycle uint)) (response bool int))
(public set-signer-key-authorization ((pox-addr address) (period uint) (reward-cycle uint) (topic (string-ascii 14))
  (signer-key (buff 33)) (allowed bool) (max-amount uint) (auth-id uint)) (response bool int))
(public stack-aggregation-commit ((pox-addr address) (reward-cycle uint) (signer-sig (optional (buff 65))) (signer-key (buff
  33)) (max-amount uint) (auth-id uint)) (response bool int))
(public stack-aggregation-commit-indexed ((pox-addr address) (reward-cycle uint) (signer-sig (optional (buff 65))) (signer-key
  (buff 33)) (max-amount uint) (auth-id uint)) (response uint int))
(public stack-aggregation-increase ((pox-addr address) (reward-cycle uint) (reward-cycle-index uint) (signer-sig (optional
  (buff 65))) (signer-key (buff 33)) (max-amount uint) (auth-id uint)) (response bool int))
(public stack-extend ((extend-count uint) (pox-addr address) (signer-sig (optional (buff 65))) (signer-key (buff 33))
  (max-amount uint) (auth-id uint)) (response {stacker: principal, unlock-burn-height: uint} int))
(public stack-increase ((increase-by uint) (signer-sig (optional (buff 65))) (signer-key (buff 33)) (max-amount uint) (auth-id
  uint)) (response {stacker: principal, total-locked: uint} int))
(public stack-stx ((amount-ustx uint) (pox-addr address) (start-burn-ht uint) (lock-period uint) (signer-sig (optional (buff
  65))) (signer-key (buff 33)) (max-amount uint) (auth-id uint)) (response {lock-amount: uint, signer-key: (buff 33), stacker:
  principal, unlock-burn-height: uint} int))
(read-only burn-height-to-reward-cycle ((height uint)) uint)
(read-only can-stack-stx ((pox-addr address) (amount-ustx uint) (first-reward-cycle uint) (num-cycles uint)) (response bool
  int))
(read-only check-caller-allowed () bool)
(read-only check-pox-addr-hashbytes ((version (buff 1)) (hashbytes (buff 32))) bool)
(read-only check-pox-addr-version ((version (buff 1))) bool)
(read-only check-pox-lock-period ((lock-period uint)) bool)
(read-only current-pox-reward-cycle () uint)
(read-only get-allowance-contract-callers ((sender principal) (calling-contract principal)) (optional {until-burn-ht:
  (optional uint)}))
(read-only get-check-delegation ((stacker principal)) (optional delegation))
(read-only get-delegation-info ((stacker principal)) (optional delegation))
(read-only get-num-reward-set-pox-addresses ((reward-cycle uint)) uint)
(read-only get-partial-stacked-by-cycle ((pox-addr address) (reward-cycle uint) (sender principal)) (optional {stacked-amount:
  uint}))
(read-only get-pox-info () (response {first-burnchain-block-height: uint, min-amount-ustx: uint, prepare-cycle-length: uint,
  reward-cycle-id: uint, reward-cycle-length: uint, total-liquid-supply-ustx: uint} never))
(read-only get-reward-set-pox-address ((reward-cycle uint) (index uint)) (optional {pox-addr: address, signer: (buff 33),
  stacker: (optional principal), total-ustx: uint}))
(read-only get-reward-set-size ((reward-cycle uint)) uint)
(read-only get-signer-key-message-hash ((pox-addr address) (reward-cycle uint) (topic (string-ascii 14)) (period uint)
  (max-amount uint) (auth-id uint)) (buff 32))
(read-only get-stacker-info ((stacker principal)) (optional stacking))
(read-only get-stacking-minimum () uint)
(read-only get-total-ustx-stacked ((reward-cycle uint)) uint)
(read-only minimal-can-stack-stx ((pox-addr address) (amount-ustx uint) (first-reward-cycle uint) (num-cycles uint)) (response
  bool int))
(read-only reward-cycle-to-burn-height ((cycle uint)) uint)
(read-only verify-signer-key-sig ((pox-addr address) (reward-cycle uint) (topic (string-ascii 14)) (period uint)
  (signer-sig-opt (optional (buff 65))) (signer-key (buff 33)) (amount uint) (max-amount uint) (auth-id uint)) (response bool
  int))
(private add-pox-addr-to-ith-reward-cycle ((cycle-index uint) (params slots)) slots)
(private add-pox-addr-to-reward-cycles ((pox-addr address) (first-reward-cycle uint) (num-cycles uint) (amount-ustx uint)
  (stacker principal) (signer (buff 33))) (response (list 12 uint) int))
(private add-pox-partial-stacked ((pox-addr address) (first-reward-cycle uint) (num-cycles uint) (amount-ustx uint)) bool)
(private add-pox-partial-stacked-to-ith-cycle ((cycle-index uint) (params {amount-ustx: uint, num-cycles: uint, pox-addr:
  address, reward-cycle: uint})) {amount-ustx: uint, num-cycles: uint, pox-addr: address, reward-cycle: uint})
(private append-reward-cycle-pox-addr ((pox-addr address) (reward-cycle uint) (amount-ustx uint) (stacker (optional
  principal)) (signer (buff 33))) uint)
(private consume-signer-key-authorization ((pox-addr address) (reward-cycle uint) (topic (string-ascii 14)) (period uint)
  (signer-sig-opt (optional (buff 65))) (signer-key (buff 33)) (amount uint) (max-amount uint) (auth-id uint)) (response bool
  int))
(private increase-reward-cycle-entry ((reward-cycle-index uint) (updates (optional {add-amount: uint, first-cycle: uint,
  reward-cycle: uint, signer-key: (buff 33), stacker: principal}))) (optional {add-amount: uint, first-cycle: uint,
  reward-cycle: uint, signer-key: (buff 33), stacker: principal}))
(private inner-stack-aggregation-commit ((pox-addr address) (reward-cycle uint) (signer-sig (optional (buff 65))) (signer-key
  (buff 33)) (max-amount uint) (auth-id uint)) (response uint int))
(map allowance-contract-callers {contract-caller: principal, sender: principal} {until-burn-ht: (optional uint)})
(map delegation-state {stacker: principal} delegation)
(map logged-partial-stacked-by-cycle partial {stacked-amount: uint})
(map partial-stacked-by-cycle partial {stacked-amount: uint})
(map reward-cycle-pox-address-list {index: uint, reward-cycle: uint} {pox-addr: address, signer: (buff 33), stacker: (optional
  principal), total-ustx: uint})
(map reward-cycle-pox-address-list-len {reward-cycle: uint} {len: uint})
(map reward-cycle-total-stacked {reward-cycle: uint} {total-ustx: uint})
(map signer-key-authorizations authorization bool)
(map stacking-state {stacker: principal} stacking)
(map used-signer-key-authorizations authorization bool)
(constants (buff 1) ADDRESS_VERSION_NATIVE_P2TR ADDRESS_VERSION_NATIVE_P2WPKH ADDRESS_VERSION_NATIVE_P2WSH
  ADDRESS_VERSION_P2PKH ADDRESS_VERSION_P2SH ADDRESS_VERSION_P2WPKH ADDRESS_VERSION_P2WSH STACKS_ADDR_VERSION_MAINNET
  STACKS_ADDR_VERSION_TESTNET)
(constants int ERR_DELEGATION_ALREADY_REVOKED ERR_DELEGATION_EXPIRES_DURING_LOCK ERR_DELEGATION_NO_REWARD_SLOT
  ERR_DELEGATION_POX_ADDR_REQUIRED ERR_DELEGATION_TOO_MUCH_LOCKED ERR_DELEGATION_WRONG_REWARD_SLOT ERR_INVALID_INCREASE
  ERR_INVALID_REWARD_CYCLE ERR_INVALID_SIGNATURE_PUBKEY ERR_INVALID_SIGNATURE_RECOVER ERR_INVALID_SIGNER_KEY
  ERR_INVALID_START_BURN_HEIGHT ERR_NOT_ALLOWED ERR_NOT_CURRENT_STACKER ERR_REUSED_SIGNER_KEY ERR_SIGNER_AUTH_AMOUNT_TOO_HIGH
  ERR_SIGNER_AUTH_USED ERR_STACKING_ALREADY_DELEGATED ERR_STACKING_ALREADY_STACKED ERR_STACKING_CORRUPTED_STATE
  ERR_STACKING_EXPIRED ERR_STACKING_INSUFFICIENT_FUNDS ERR_STACKING_INVALID_AMOUNT ERR_STACKING_INVALID_LOCK_PERIOD
  ERR_STACKING_INVALID_POX_ADDRESS ERR_STACKING_IS_DELEGATED ERR_STACKING_NOT_DELEGATED ERR_STACKING_NO_SUCH_PRINCIPAL
  ERR_STACKING_PERMISSION_DENIED ERR_STACKING_POX_ADDRESS_IN_USE ERR_STACKING_STX_LOCKED ERR_STACKING_THRESHOLD_NOT_MET
  ERR_STACKING_UNREACHABLE ERR_STACK_EXTEND_NOT_LOCKED ERR_STACK_INCREASE_NOT_LOCKED)
(constants uint MAX_ADDRESS_VERSION MAX_ADDRESS_VERSION_BUFF_20 MAX_ADDRESS_VERSION_BUFF_32 MAX_POX_REWARD_CYCLES
  MIN_POX_REWARD_CYCLES PREPARE_CYCLE_LENGTH REWARD_CYCLE_LENGTH STACKING_THRESHOLD_25)
(constants (buff 6) SIP018_MSG_PREFIX)
(variables bool configured)
(variables uint first-burnchain-block-height first-pox-4-reward-cycle pox-prepare-cycle-length pox-reward-cycle-length)
`;
