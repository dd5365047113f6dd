import { badInputTests } from './support/bad-input.ts';

badInputTests({ step: 1, requests: 1000 });
