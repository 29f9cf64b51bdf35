import { UserError } from '../errors.ts'
import { type ArgumentDefinition, defineMetric, type Metric, REL } from '../metrics/define.ts'
import { METRICS } from '../metrics/index.ts'
import { discount } from '../metrics/log2.ts'
import { viewWithin } from '../metrics/view.ts'
import { createRegistry, type Registry } from '../registry.ts'
import type { CustomKind } from './load.ts'
import { diagnosticIn } from './location.ts'

/** Schemas of a metric's optional keys. */
const ALLOWED: Readonly<Record<string, readonly unknown[]>> = {
  cutoff: ['none', 'required', 'optional'],
  cutoffIn: ['ranks', 'recall', 'tokens', 'ranks or tokens'],
  needs: ['labels', 'tokens', 'context', 'contains', 'foreign', 'entities'],
  mean: ['arithmetic', 'sum', 'geometric'],
  bounded: [true, false],
  better: ['higher', 'lower'],
}

/** Custom metric. */
export const customMetric: CustomKind<Metric> = {
  word: 'metric',
  example: 'export default { name, summary, score }',
  keys: [
    'name',
    'summary',
    'aliases',
    'cutoff',
    'cutoffIn',
    'args',
    'needs',
    'mean',
    'bounded',
    'least',
    'better',
    'score',
  ],
  toolkit: () => ({ defineMetric, REL, within: viewWithin, discount }),
  lacks: (found) => [
    ...(typeof found.name === 'string' && /^[a-z][a-z0-9_]*$/.test(found.name)
      ? []
      : ['name (small letters, digits and _, a letter first)']),
    ...(typeof found.summary === 'string' ? [] : ['summary (text)']),
    ...(typeof found.score === 'function' ? [] : ['score (a function)']),
    ...Object.entries(ALLOWED)
      .filter(([key, allowed]) => found[key] !== undefined && !allowed.includes(found[key]))
      .map(([key, allowed]) => `${key} (${allowed.join(', ')})`),
    ...(found.args === undefined || isArguments(found.args)
      ? []
      : ["args ({p: {summary: 'persistence', default: 0.8, min: 0, max: 1}})"]),
  ],
  define(exported, guard, { path }) {
    const metric = defineMetric(exported as Metric)
    return {
      ...metric,
      aliases: [],
      score(view, measure) {
        const fail = (message: string) =>
          new UserError({ file: path, message: `${measure.name}: ${message}` })
        let value: unknown
        try {
          value = guard.call(`\`score\` of ${measure.name}`, () => metric.score(view, measure))
        } catch (error) {
          throw diagnosticIn(path, measure.name, error)
        }
        if (typeof value !== 'number' || Math.abs(value) === Number.POSITIVE_INFINITY)
          throw fail(`gave ${String(value)} for a query, which is not a number`)
        if (metric.bounded && (value < 0 || value > 1 + 1e-9))
          throw fail(`gave ${value} for a query; a metric beyond 0 to 1 needs \`bounded: false\``)
        return value
      },
    }
  },
}

function isArguments(args: unknown): args is Readonly<Record<string, ArgumentDefinition>> {
  const isOne = (one: Partial<ArgumentDefinition> | null | undefined) =>
    typeof one?.summary === 'string' && ['number', 'string'].includes(typeof one.default)
  return typeof args === 'object' && args !== null && Object.values(args).every(isOne)
}

/** The product's metrics and these. */
export function metricsWith(own: readonly Metric[]): Registry<Metric> {
  return own.length === 0 ? METRICS : createRegistry(METRICS.word, [...METRICS.all, ...own], METRICS.hint)
}
