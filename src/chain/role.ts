/** How a transaction touched a principal: a bit set stored with each row of its history. Never renumber. */
export const role = {
  /** It signed as origin. */
  sender: 1,
  /** It signed as sponsor. */
  sponsor: 2,
  /** It paid the fee. */
  payer: 4,
  /** It is the recipient of the transfer, or the contract that was called or deployed. */
  target: 8,
  /** STX moved for it. */
  stx: 16,
  /** A fungible token moved for it. */
  ft: 32,
  /** A non-fungible token moved for it. */
  nft: 64,
  /** Its STX were locked. */
  lock: 128,
} as const;

/** Every role of assets that moved or were locked. */
export const assetRoles = role.stx | role.ft | role.nft | role.lock;

/** A signature as origin or as sponsor uses up a nonce. */
export const signingRoles = role.sender | role.sponsor;

/** Everything but having received or sent tokens alone. */
export const directRoles = role.sender | role.sponsor | role.payer | role.target | role.stx | role.lock;
