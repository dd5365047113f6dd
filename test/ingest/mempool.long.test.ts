// The same once more, with as many generated histories as the long tier plays.
import './mempool.test.ts';
