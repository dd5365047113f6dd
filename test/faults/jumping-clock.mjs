// Loaded before the service, in each of its threads: a clock that is as wrong as a file says, in milliseconds.
import { readFileSync } from 'node:fs';

const file = process.env.JUMPING_CLOCK_FILE;
const RealDate = Date;
let offset = 0;

setInterval(() => {
  offset = Number(readFileSync(file, 'utf8'));
}, 20).unref();

globalThis.Date = class extends RealDate {
  constructor(...values) {
    if (values.length === 0) super(RealDate.now() + offset);
    else super(...values);
  }
  static now() {
    return RealDate.now() + offset;
  }
};
