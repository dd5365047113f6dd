/** The response of the deprecated `/extended/v1/fee_rate` for every transaction: old wallets expect this constant. */
export const constantFeeRate = { fee_rate: 400 };
