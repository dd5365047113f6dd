/** Accounts left to the user of the devnet. */
export const userAccounts = [0, 1] as const;
/** Accounts that send the simulated traffic. */
export const residentAccounts = [2, 3, 4, 5, 6, 7, 8, 9] as const;
/** Operates the stacking pool to which residents delegate. */
export const poolOperator = 10;
/** Deploys the contracts that all residents use. */
export const deployer = 11;
