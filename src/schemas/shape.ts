/**
 * The release of the third version whose shapes an answer has: 9.0, or 9.3 with the fields that came since. Routes that came
 * since have them always.
 */
export type Shape = '9.0' | '9.3';

/** The release that answers follow: 8 is that of the first two versions, whose third version is the one of 9.0. */
export type Release = '8' | Shape;
