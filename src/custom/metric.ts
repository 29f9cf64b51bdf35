import { z } from 'zod'
import { UserError } from '../errors.ts'
import { discount } from '../metrics/c-numbers.ts'
import { defineMetric, type Metric, REL } from '../metrics/define.ts'
import { METRICS } from '../metrics/parse.ts'
import { viewWithin } from '../metrics/view.ts'
import { createRegistry, type Registry } from '../registry.ts'
import { aFunction } from './files.ts'
import { diagnosticIn } from './guard.ts'
import type { CustomKind } from './load.ts'

const schema = z.strictObject({
  name: z.string().regex(/^[a-z][a-z0-9_]*$/, 'must be small letters, digits and `_`, a letter first'),
  summary: z.string(),
  aliases: z.unknown().optional(),
  cutoff: z.enum(['none', 'required', 'optional']).optional(),
  cutoffIn: z.enum(['ranks', 'recall', 'tokens', 'ranks or tokens']).optional(),
  args: z
    .record(z.string(), z.looseObject({ summary: z.string(), default: z.union([z.number(), z.string()]) }))
    .optional(),
  needs: z.enum(['labels', 'tokens', 'context', 'contains', 'foreign', 'entities']).optional(),
  mean: z.enum(['arithmetic', 'sum', 'geometric']).optional(),
  bounded: z.boolean().optional(),
  least: z.number().optional(),
  better: z.enum(['higher', 'lower']).optional(),
  score: aFunction,
})

export const customMetric: CustomKind<Metric> = {
  word: 'metric',
  example: 'export default { name, summary, score }',
  schema,
  toolkit: () => ({ defineMetric, REL, within: viewWithin, discount }),
  define(exported, guard, { path }) {
    const metric = defineMetric(exported as Metric)
    return {
      ...metric,
      aliases: [],
      score(view, measure) {
        const fail = (message: string) => new UserError(`${measure.name}: ${message}`, path)
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

export function metricsWith(custom: readonly Metric[]): Registry<Metric> {
  return custom.length === 0
    ? METRICS
    : createRegistry(METRICS.word, [...METRICS.all, ...custom], METRICS.hint)
}
