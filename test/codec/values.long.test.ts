// The same once more, with as many as the long tier takes.
import './values.test.ts';
