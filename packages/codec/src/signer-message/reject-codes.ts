/** Names of reject reasons by their codes; the legacy code of a rejection has the first six. */
const rejectReasons: Readonly<Record<number, string>> = {
  0: 'ValidationFailed',
  1: 'ConnectivityIssues',
  2: 'RejectedInPriorRound',
  3: 'NoSortitionView',
  4: 'SortitionViewMismatch',
  5: 'TestingDirective',
  6: 'ReorgNotAllowed',
  7: 'InvalidBitvec',
  8: 'PubkeyHashMismatch',
  9: 'InvalidMiner',
  10: 'NotLatestSortitionWinner',
  11: 'InvalidParentBlock',
  12: 'DuplicateBlockFound',
  13: 'InvalidTenureExtend',
  14: 'IrrecoverablePubkeyHash',
  15: 'NoSignerConsensus',
  16: 'ConsensusHashMismatch',
  17: 'ProblematicTransactions',
  255: 'NotRejected',
};

const validationCodes: readonly string[] = [
  'BadBlockHash',
  'BadTransaction',
  'InvalidBlock',
  'ChainstateError',
  'UnknownParent',
  'NonCanonicalTenure',
  'NoSuchTenure',
  'InvalidTransactionReplay',
  'InvalidParentBlock',
  'InvalidTimestamp',
  'NetworkChainMismatch',
  'NotFoundError',
  'ProblematicTransaction',
];

/** The reason in acceptances. */
export const notRejected = 255;

/** Whether a reject code is followed by a validation code. */
export const hasValidationCode = (code: number): boolean => code === 0;

/** The name of a reject reason; `Unknown` for codes of newer signers. */
export const rejectReasonName = (code: number): string => rejectReasons[code] ?? 'Unknown';

/** The name of a validation code; `Unknown` for codes of newer nodes. */
export const validationCodeName = (code: number): string => validationCodes[code] ?? 'Unknown';
