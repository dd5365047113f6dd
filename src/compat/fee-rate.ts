/** The answer of the deprecated `/extended/v1/fee_rate`, whatever the transaction: old wallets expect this constant. */
export const constantFeeRate = { fee_rate: 400 };
