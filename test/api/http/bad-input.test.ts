import { badInputTests } from './support/bad-input.ts';

/** `bad-input.long.test.ts` has all of them. */
badInputTests({ step: 5, requests: 250 });
