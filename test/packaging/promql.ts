import type { SyntaxNode } from '@lezer/common';
import { parser } from '@prometheus-io/lezer-promql';

export type Labels = Readonly<Record<string, string>>;
/** Samples are pairs of seconds and value, in order of time. */
export type Series = { name: string; labels: Labels; samples: readonly (readonly [number, number])[] };
type Sample = { labels: Labels; value: number };
type Value = number | Sample[];

const LOOKBACK = 300;
const UNITS: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400 };

/** The names of all metrics in an expression; throws where it is not valid PromQL. */
export function metricsIn(expression: string): string[] {
  const names: string[] = [];
  parser.parse(expression).iterate({
    enter(node) {
      if (node.type.isError) throw new Error(`not PromQL at ${node.from}: ${expression}`);
      if (node.name === 'VectorSelector') {
        const identifier = node.node.getChild('Identifier');
        if (identifier) names.push(expression.slice(identifier.from, identifier.to));
      }
    },
  });
  return names;
}

/** Evaluates the part of PromQL that the alerts use, at a time; an alert fires if the result is not empty. */
export function evaluate(expression: string, series: readonly Series[], at: number): Sample[] {
  metricsIn(expression);
  const text = (node: SyntaxNode) => expression.slice(node.from, node.to);
  const first = (node: SyntaxNode): SyntaxNode => {
    if (!node.firstChild) throw new Error(`nothing in ${text(node)}`);
    return node.firstChild;
  };

  const select = (node: SyntaxNode): Series[] => {
    const name = text(node.getChild('Identifier')!);
    const matchers = node.getChild('LabelMatchers')?.getChildren('UnquotedLabelMatcher') ?? [];
    return series.filter(
      each =>
        each.name === name &&
        matchers.every(matcher => {
          const [label, op, value] = [matcher.firstChild!, matcher.firstChild!.nextSibling!, matcher.lastChild!];
          const has = each.labels[text(label)] ?? '';
          const wanted = text(value).slice(1, -1);
          const matches = /~/.test(text(op)) ? new RegExp(`^(?:${wanted})$`).test(has) : has === wanted;
          return matches !== text(op).startsWith('!');
        }),
    );
  };

  /** The change of each series within a range; counters that were reset start again at 0. */
  const change = (node: SyntaxNode, counter: boolean, perSecond: boolean): Sample[] => {
    const [, count = '0', unit = 's'] = /^(\d+)([smhd])$/.exec(text(node.lastChild!)) ?? [];
    const from = at - Number(count) * UNITS[unit]!;
    return select(node.getChild('VectorSelector')!).flatMap(({ labels, samples }) => {
      const inside = samples.filter(([time]) => time > from && time <= at);
      if (inside.length < 2) return [];
      let sum = 0;
      for (let i = 1; i < inside.length; i++) {
        const step = inside[i]![1] - inside[i - 1]![1];
        sum += counter && step < 0 ? inside[i]![1] : step;
      }
      const seconds = inside.at(-1)![0] - inside[0]![0];
      return [{ labels, value: perSecond ? sum / seconds : sum }];
    });
  };

  const argumentsOf = (node: SyntaxNode): SyntaxNode[] => {
    const body = node.getChild('FunctionCallBody')!;
    const found: SyntaxNode[] = [];
    for (let child = body.firstChild; child; child = child.nextSibling) found.push(child);
    return found;
  };

  const call = (node: SyntaxNode): Value => {
    const name = text(node.getChild('FunctionIdentifier')!);
    const [one, two] = argumentsOf(node);
    if (name === 'rate' || name === 'increase') return change(one!, true, name === 'rate');
    if (name === 'delta') return change(one!, false, false);
    if (name === 'histogram_quantile') return quantile(Number(text(one!)), vector(two!));
    throw new Error(`the evaluator does not know ${name}`);
  };

  const aggregate = (node: SyntaxNode): Sample[] => {
    const modifier = node.getChild('AggregateModifier')?.getChild('GroupingLabels')?.getChildren('LabelName') ?? [];
    const names = modifier.map(text);
    const groups = new Map<string, Sample>();
    const operation = text(node.getChild('AggregateOp')!);
    if (operation !== 'sum') throw new Error(`the evaluator does not know ${operation}`);
    for (const { labels, value } of vector(argumentsOf(node)[0]!)) {
      const kept = Object.fromEntries(names.map(label => [label, labels[label] ?? '']));
      const key = JSON.stringify(kept);
      groups.set(key, { labels: kept, value: (groups.get(key)?.value ?? 0) + value });
    }
    return [...groups.values()];
  };

  const binary = (node: SyntaxNode): Value => {
    const left = first(node);
    const operator = left.nextSibling!;
    const [a, b] = [evaluateNode(left), evaluateNode(node.lastChild!)];
    const apply = operators[text(operator)];
    if (!apply) throw new Error(`the evaluator does not know ${text(operator)}`);
    if (typeof a === 'number') throw new Error('a number stands on the left');
    const comparison = /[<>=]/.test(text(operator));
    return a.flatMap(({ labels, value }) => {
      const other = typeof b === 'number' ? b : b.find(sample => same(sample.labels, labels))?.value;
      if (other === undefined) return [];
      const result = apply(value, other);
      return comparison ? (result ? [{ labels, value }] : []) : [{ labels, value: result }];
    });
  };

  const evaluateNode = (node: SyntaxNode): Value => {
    switch (node.name) {
      case 'PromQL':
        return evaluateNode(first(node));
      case 'NumberDurationLiteral':
        return Number(text(node));
      case 'BinaryExpr':
        return binary(node);
      case 'FunctionCall':
        return call(node);
      case 'AggregateExpr':
        return aggregate(node);
      case 'VectorSelector':
        return select(node).flatMap(({ labels, samples }) => {
          const last = samples.findLast(([time]) => time <= at && time > at - LOOKBACK);
          return last ? [{ labels, value: last[1] }] : [];
        });
      default:
        throw new Error(`the evaluator does not know ${node.name}`);
    }
  };
  const vector = (node: SyntaxNode): Sample[] => {
    const value = evaluateNode(node);
    if (typeof value === 'number') throw new Error(`${text(node)} is not a vector`);
    return value;
  };
  return vector(parser.parse(expression).topNode);
}

const operators: Record<string, (a: number, b: number) => number> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '>': (a, b) => Number(a > b),
  '<': (a, b) => Number(a < b),
  '==': (a, b) => Number(a === b),
};

const same = (a: Labels, b: Labels) =>
  Object.keys({ ...a, ...b }).every(label => (a[label] ?? '') === (b[label] ?? ''));

/** The quantile of a histogram, linear within a bucket; the last bound for the bucket of infinity. */
function quantile(q: number, buckets: readonly Sample[]): Sample[] {
  const sorted = buckets
    .map(({ labels, value }) => ({ bound: labels.le === '+Inf' ? Number.POSITIVE_INFINITY : Number(labels.le), value }))
    .sort((a, b) => a.bound - b.bound);
  const total = sorted.at(-1)?.value ?? 0;
  if (total === 0) return [];
  const rank = q * total;
  const at = sorted.findIndex(({ value }) => value >= rank);
  const below = sorted[at - 1] ?? { bound: 0, value: 0 };
  const { bound, value } = sorted[at]!;
  if (bound === Number.POSITIVE_INFINITY) return [{ labels: {}, value: below.bound }];
  return [{ labels: {}, value: below.bound + ((bound - below.bound) * (rank - below.value)) / (value - below.value) }];
}
