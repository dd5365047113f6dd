/** The definitions of pox, the first stacking contract, in the notation of `readOutline`. */
export const poxOutline = `
(released Epoch20 Clarity1)
(type address {hashbytes: (buff 20), version: (buff 1)})
(public allow-contract-caller ((caller principal) (until-burn-ht (optional uint))) (response bool int))
(public delegate-stack-stx ((stacker principal) (amount-ustx uint) (pox-addr address) (start-burn-ht uint) (lock-period uint))
  (response {lock-amount: uint, stacker: principal, unlock-burn-height: uint} int))
(public delegate-stx ((amount-ustx uint) (delegate-to principal) (until-burn-ht (optional uint)) (pox-addr (optional
  address))) (response bool int))
(public disallow-contract-caller ((caller principal)) (response bool int))
(public reject-pox () (response bool int))
(public revoke-delegate-stx () (response bool int))
(public set-burnchain-parameters ((first-burn-height uint) (prepare-cycle-length uint) (reward-cycle-length uint)
  (rejection-fraction uint)) (response bool int))
(public stack-aggregation-commit ((pox-addr address) (reward-cycle uint)) (response bool int))
(public stack-stx ((amount-ustx uint) (pox-addr address) (start-burn-ht uint) (lock-period uint)) (response {lock-amount:
  uint, stacker: principal, unlock-burn-height: uint} int))
(read-only can-stack-stx ((pox-addr address) (amount-ustx uint) (first-reward-cycle uint) (num-cycles uint)) (response bool
  int))
(read-only get-pox-info () (response {current-rejection-votes: uint, first-burnchain-block-height: uint, min-amount-ustx:
  uint, prepare-cycle-length: uint, rejection-fraction: uint, reward-cycle-id: uint, reward-cycle-length: uint,
  total-liquid-supply-ustx: uint} never))
(read-only get-pox-rejection ((stacker principal) (reward-cycle uint)) (optional {amount: uint}))
(read-only get-reward-set-pox-address ((reward-cycle uint) (index uint)) (optional {pox-addr: address, total-ustx: uint}))
(read-only get-reward-set-size ((reward-cycle uint)) uint)
(read-only get-stacker-info ((stacker principal)) (optional {amount-ustx: uint, first-reward-cycle: uint, lock-period: uint,
  pox-addr: address}))
(read-only get-stacking-minimum () uint)
(read-only get-total-ustx-stacked ((reward-cycle uint)) uint)
(read-only is-pox-active ((reward-cycle uint)) bool)
(read-only minimal-can-stack-stx ((pox-addr address) (amount-ustx uint) (first-reward-cycle uint) (num-cycles uint)) (response
  bool int))
(private add-pox-addr-to-ith-reward-cycle ((cycle-index uint) (params {amount-ustx: uint, first-reward-cycle: uint, i: uint,
  num-cycles: uint, pox-addr: address})) {amount-ustx: uint, first-reward-cycle: uint, i: uint, num-cycles: uint, pox-addr:
  address})
(private add-pox-addr-to-reward-cycles ((pox-addr address) (first-reward-cycle uint) (num-cycles uint) (amount-ustx uint))
  (response bool int))
(private add-pox-partial-stacked ((pox-addr address) (first-reward-cycle uint) (num-cycles uint) (amount-ustx uint)) bool)
(private add-pox-partial-stacked-to-ith-cycle ((cycle-index uint) (params {amount-ustx: uint, num-cycles: uint, pox-addr:
  address, reward-cycle: uint})) {amount-ustx: uint, num-cycles: uint, pox-addr: address, reward-cycle: uint})
(private append-reward-cycle-pox-addr ((pox-addr address) (reward-cycle uint) (amount-ustx uint)) uint)
(private burn-height-to-reward-cycle ((height uint)) uint)
(private check-caller-allowed () bool)
(private check-pox-addr-version ((version (buff 1))) bool)
(private check-pox-lock-period ((lock-period uint)) bool)
(private current-pox-reward-cycle () uint)
(private get-check-delegation ((stacker principal)) (optional {amount-ustx: uint, delegated-to: principal, pox-addr: (optional
  address), until-burn-ht: (optional uint)}))
(private next-cycle-rejection-votes () uint)
(private reward-cycle-to-burn-height ((cycle uint)) uint)
(map allowance-contract-callers {contract-caller: principal, sender: principal} {until-burn-ht: (optional uint)})
(map delegation-state {stacker: principal} {amount-ustx: uint, delegated-to: principal, pox-addr: (optional address),
  until-burn-ht: (optional uint)})
(map partial-stacked-by-cycle {pox-addr: address, reward-cycle: uint, sender: principal} {stacked-amount: uint})
(map reward-cycle-pox-address-list {index: uint, reward-cycle: uint} {pox-addr: address, total-ustx: uint})
(map reward-cycle-pox-address-list-len {reward-cycle: uint} {len: uint})
(map reward-cycle-total-stacked {reward-cycle: uint} {total-ustx: uint})
(map stacking-rejection {reward-cycle: uint} {amount: uint})
(map stacking-rejectors {reward-cycle: uint, stacker: principal} {amount: uint})
(map stacking-state {stacker: principal} {amount-ustx: uint, first-reward-cycle: uint, lock-period: uint, pox-addr: address})
(constants (buff 1) ADDRESS_VERSION_P2PKH ADDRESS_VERSION_P2SH ADDRESS_VERSION_P2WPKH ADDRESS_VERSION_P2WSH)
(constants int ERR_DELEGATION_EXPIRES_DURING_LOCK ERR_DELEGATION_POX_ADDR_REQUIRED ERR_DELEGATION_TOO_MUCH_LOCKED
  ERR_INVALID_START_BURN_HEIGHT ERR_NOT_ALLOWED ERR_STACKING_ALREADY_DELEGATED ERR_STACKING_ALREADY_REJECTED
  ERR_STACKING_ALREADY_STACKED ERR_STACKING_EXPIRED ERR_STACKING_INSUFFICIENT_FUNDS ERR_STACKING_INVALID_AMOUNT
  ERR_STACKING_INVALID_LOCK_PERIOD ERR_STACKING_INVALID_POX_ADDRESS ERR_STACKING_NO_SUCH_PRINCIPAL
  ERR_STACKING_PERMISSION_DENIED ERR_STACKING_POX_ADDRESS_IN_USE ERR_STACKING_STX_LOCKED ERR_STACKING_THRESHOLD_NOT_MET
  ERR_STACKING_UNREACHABLE)
(constants uint MAX_POX_REWARD_CYCLES MIN_POX_REWARD_CYCLES POX_REJECTION_FRACTION PREPARE_CYCLE_LENGTH REWARD_CYCLE_LENGTH
  STACKING_THRESHOLD_100 STACKING_THRESHOLD_25)
(variables bool configured)
(variables uint first-burnchain-block-height pox-prepare-cycle-length pox-rejection-fraction pox-reward-cycle-length)
`;
