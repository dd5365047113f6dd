import fc from 'fast-check';
import { propertySeed } from './seed.ts';

// Every property test of the run has this seed; one that passes its own keeps it.
fc.configureGlobal({ seed: propertySeed });
