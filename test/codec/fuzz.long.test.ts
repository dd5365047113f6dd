// The same once more, with as many byte strings as the long tier tries.
import './fuzz.test.ts';
