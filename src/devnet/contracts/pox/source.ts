/** The source of pox-4 on the simulated chain: only an outline, because the model is executed instead. */
export const poxSource = `;; pox-4, as the devnet models it: the outline of the contract that every chain boots with.
(define-map delegation-state {stacker: principal}
  {amount-ustx: uint, delegated-to: principal, until-burn-ht: (optional uint),
   pox-addr: (optional {version: (buff 1), hashbytes: (buff 32)})})
(define-map partial-stacked-by-cycle
  {pox-addr: {version: (buff 1), hashbytes: (buff 32)}, reward-cycle: uint, sender: principal}
  {stacked-amount: uint})
(define-map stacking-state {stacker: principal}
  {pox-addr: {version: (buff 1), hashbytes: (buff 32)}, lock-period: uint, first-reward-cycle: uint,
   reward-set-indexes: (list 12 uint), delegated-to: (optional principal)})
;; stack-stx, stack-increase, stack-extend
;; delegate-stx, revoke-delegate-stx, delegate-stack-stx, delegate-stack-increase, delegate-stack-extend
;; stack-aggregation-commit, stack-aggregation-commit-indexed
`;
