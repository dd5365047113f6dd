/** The definitions of bns, the first naming contract, in the notation of `readOutline`. */
export const bnsOutline = `
(released Epoch20 Clarity1)
(type name {name: (buff 48), namespace: (buff 20)})
(type price {base: uint, buckets: (list 16 uint), coeff: uint, no-vowel-discount: uint, nonalpha-discount: uint})
(type name-properties {imported-at: (optional uint), registered-at: (optional uint), revoked-at: (optional uint),
  zonefile-hash: (buff 20)})
(type namespace-properties {can-update-price-function: bool, launched-at: (optional uint), lifetime: uint, namespace-import:
  principal, price-function: price, revealed-at: uint})
(public name-import ((namespace (buff 20)) (name (buff 48)) (beneficiary principal) (zonefile-hash (buff 20))) (response bool
  int))
(public name-preorder ((hashed-salted-fqn (buff 20)) (stx-to-burn uint)) (response uint int))
(public name-register ((namespace (buff 20)) (name (buff 48)) (salt (buff 20)) (zonefile-hash (buff 20))) (response bool int))
(public name-renewal ((namespace (buff 20)) (name (buff 48)) (stx-to-burn uint) (new-owner (optional principal))
  (zonefile-hash (optional (buff 20)))) (response bool int))
(public name-revoke ((namespace (buff 20)) (name (buff 48))) (response bool int))
(public name-transfer ((namespace (buff 20)) (name (buff 48)) (new-owner principal) (zonefile-hash (optional (buff 20))))
  (response bool int))
(public name-update ((namespace (buff 20)) (name (buff 48)) (zonefile-hash (buff 20))) (response bool int))
(public namespace-preorder ((hashed-salted-namespace (buff 20)) (stx-to-burn uint)) (response uint int))
(public namespace-ready ((namespace (buff 20))) (response bool int))
(public namespace-reveal ((namespace (buff 20)) (namespace-salt (buff 20)) (p-func-base uint) (p-func-coeff uint) (p-func-b1
  uint) (p-func-b2 uint) (p-func-b3 uint) (p-func-b4 uint) (p-func-b5 uint) (p-func-b6 uint) (p-func-b7 uint) (p-func-b8 uint)
  (p-func-b9 uint) (p-func-b10 uint) (p-func-b11 uint) (p-func-b12 uint) (p-func-b13 uint) (p-func-b14 uint) (p-func-b15 uint)
  (p-func-b16 uint) (p-func-non-alpha-discount uint) (p-func-no-vowel-discount uint) (lifetime uint) (namespace-import
  principal)) (response bool int))
(public namespace-revoke-function-price-edition ((namespace (buff 20))) (response bool int))
(public namespace-update-function-price ((namespace (buff 20)) (p-func-base uint) (p-func-coeff uint) (p-func-b1 uint)
  (p-func-b2 uint) (p-func-b3 uint) (p-func-b4 uint) (p-func-b5 uint) (p-func-b6 uint) (p-func-b7 uint) (p-func-b8 uint)
  (p-func-b9 uint) (p-func-b10 uint) (p-func-b11 uint) (p-func-b12 uint) (p-func-b13 uint) (p-func-b14 uint) (p-func-b15 uint)
  (p-func-b16 uint) (p-func-non-alpha-discount uint) (p-func-no-vowel-discount uint)) (response bool int))
(read-only can-name-be-registered ((namespace (buff 20)) (name (buff 48))) (response bool int))
(read-only can-namespace-be-registered ((namespace (buff 20))) (response bool never))
(read-only can-receive-name ((owner principal)) (response bool int))
(read-only check-name-ops-preconditions ((namespace (buff 20)) (name (buff 48))) (response {name-props: name-properties,
  namespace-props: namespace-properties, owner: principal} int))
(read-only get-name-price ((namespace (buff 20)) (name (buff 48))) (response uint int))
(read-only get-namespace-price ((namespace (buff 20))) (response uint int))
(read-only get-namespace-properties ((namespace (buff 20))) (response {namespace: (buff 20), properties: namespace-properties}
  int))
(read-only is-name-in-grace-period ((namespace (buff 20)) (name (buff 48))) (response bool int))
(read-only is-name-lease-expired ((namespace (buff 20)) (name (buff 48))) (response bool int))
(read-only name-resolve ((namespace (buff 20)) (name (buff 48))) (response {lease-ending-at: (optional uint),
  lease-started-at: uint, owner: principal, zonefile-hash: (buff 20)} int))
(read-only resolve-principal ((owner principal)) (response name {code: int, name: (optional name)}))
(private compute-name-price ((name (buff 48)) (price-function price)) uint)
(private get-exp-at-index ((buckets (list 16 uint)) (index uint)) uint)
(private has-invalid-chars ((name (buff 48))) bool)
(private has-nonalpha-chars ((name (buff 48))) bool)
(private has-vowels-chars ((name (buff 48))) bool)
(private is-char-valid ((char (buff 1))) bool)
(private is-digit ((char (buff 1))) bool)
(private is-lowercase-alpha ((char (buff 1))) bool)
(private is-namespace-available ((namespace (buff 20))) bool)
(private is-nonalpha ((char (buff 1))) bool)
(private is-special-char ((char (buff 1))) bool)
(private is-vowel ((char (buff 1))) bool)
(private max ((a uint) (b uint)) uint)
(private min ((a uint) (b uint)) uint)
(private mint-or-transfer-name? ((namespace (buff 20)) (name (buff 48)) (beneficiary principal)) (response bool int))
(private name-lease-started-at? ((namespace-launched-at (optional uint)) (namespace-revealed-at uint) (name-props
  name-properties)) (response uint int))
(private update-name-ownership? ((namespace (buff 20)) (name (buff 48)) (from principal) (to principal)) (response bool int))
(private update-zonefile-and-props ((namespace (buff 20)) (name (buff 48)) (registered-at (optional uint)) (imported-at
  (optional uint)) (revoked-at (optional uint)) (zonefile-hash (buff 20)) (op (string-ascii 16))) bool)
(map name-preorders {buyer: principal, hashed-salted-fqn: (buff 20)} {claimed: bool, created-at: uint, stx-burned: uint})
(map name-properties name name-properties)
(map namespace-preorders {buyer: principal, hashed-salted-namespace: (buff 20)} {claimed: bool, created-at: uint, stx-burned:
  uint})
(map namespaces (buff 20) namespace-properties)
(map owner-name principal name)
(non-fungible-token names name)
(constants int ERR_INSUFFICIENT_FUNDS ERR_NAMESPACE_ALREADY_EXISTS ERR_NAMESPACE_ALREADY_LAUNCHED ERR_NAMESPACE_BLANK
  ERR_NAMESPACE_CHARSET_INVALID ERR_NAMESPACE_HASH_MALFORMED ERR_NAMESPACE_NOT_FOUND ERR_NAMESPACE_NOT_LAUNCHED
  ERR_NAMESPACE_OPERATION_UNAUTHORIZED ERR_NAMESPACE_PREORDER_ALREADY_EXISTS ERR_NAMESPACE_PREORDER_CLAIMABILITY_EXPIRED
  ERR_NAMESPACE_PREORDER_EXPIRED ERR_NAMESPACE_PREORDER_LAUNCHABILITY_EXPIRED ERR_NAMESPACE_PREORDER_NOT_FOUND
  ERR_NAMESPACE_PRICE_FUNCTION_INVALID ERR_NAMESPACE_STX_BURNT_INSUFFICIENT ERR_NAMESPACE_UNAVAILABLE ERR_NAME_ALREADY_CLAIMED
  ERR_NAME_BLANK ERR_NAME_CHARSET_INVALID ERR_NAME_CLAIMABILITY_EXPIRED ERR_NAME_COULD_NOT_BE_MINTED
  ERR_NAME_COULD_NOT_BE_TRANSFERED ERR_NAME_EXPIRED ERR_NAME_GRACE_PERIOD ERR_NAME_HASH_MALFORMED ERR_NAME_NOT_FOUND
  ERR_NAME_NOT_RESOLVABLE ERR_NAME_OPERATION_UNAUTHORIZED ERR_NAME_PREORDERED_BEFORE_NAMESPACE_LAUNCH
  ERR_NAME_PREORDER_ALREADY_EXISTS ERR_NAME_PREORDER_EXPIRED ERR_NAME_PREORDER_FUNDS_INSUFFICIENT ERR_NAME_PREORDER_NOT_FOUND
  ERR_NAME_REVOKED ERR_NAME_STX_BURNT_INSUFFICIENT ERR_NAME_TRANSFER_FAILED ERR_NAME_UNAVAILABLE ERR_PANIC
  ERR_PRINCIPAL_ALREADY_ASSOCIATED)
(constants uint NAMESPACE_LAUNCHABILITY_TTL NAMESPACE_PREORDER_CLAIMABILITY_TTL NAME_GRACE_PERIOD_DURATION
  NAME_PREORDER_CLAIMABILITY_TTL)
(constants (list 20 uint) NAMESPACE_PRICE_TIERS)
(variables uint attachment-index)
`;
