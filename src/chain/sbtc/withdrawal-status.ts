/** States of a withdrawal. Never renumber. */
export const withdrawalStatuses = { pending: 1, accepted: 2, rejected: 3 } as const;
export type WithdrawalStatus = keyof typeof withdrawalStatuses;
