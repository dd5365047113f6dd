import { testBenches } from './run.ts';
import { smallest } from './sizes.ts';

testBenches(smallest.reads);
