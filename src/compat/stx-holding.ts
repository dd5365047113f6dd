type LockRow = {
  burn_height: number | null;
  lock_amount: string | null;
  lock_burn_height: number | null;
  lock_contract: Buffer | null;
  unlock_heights: (number | bigint | null)[] | null;
};

/**
 * A balance row as `/v2/addresses/{p}/balances/stx` shows it: the burn height of the lock is that of the tip, and a lock of
 * the first PoX contract is hidden until the node has reported its forced unlock height. `/v1/address/{p}/stx` does neither.
 */
export function asShortHolding<T extends LockRow>(row: T): T {
  const isOpen = row.unlock_heights?.[0] === undefined && row.lock_contract?.subarray(-4).toString() === '.pox';
  return { ...row, lock_burn_height: row.burn_height, ...(isOpen && { lock_amount: null }) };
}
