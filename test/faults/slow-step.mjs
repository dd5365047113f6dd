// Loaded before the service, in each of its threads: the thread that parses a text with the mark computes for as long as asked.
const mark = process.env.SLOW_STEP_MARK;
const ms = Number(process.env.SLOW_STEP_MS);
const { parse } = JSON;
let left = 1;

JSON.parse = (text, ...rest) => {
  if (left > 0 && typeof text === 'string' && text.includes(mark)) {
    left -= 1;
    const end = performance.now() + ms;
    while (performance.now() < end);
  }
  return parse(text, ...rest);
};
