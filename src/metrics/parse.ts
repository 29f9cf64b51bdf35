import { collectDiagnostics, UserError } from '../errors.ts'
import { createRegistry, type Registry, unknown } from '../registry.ts'
import { didYouMean } from '../text/nearest.ts'
import { CALL_METRICS } from './calls.ts'
import { CONTEXT_METRICS, ENTITY_METRICS } from './context.ts'
import type { ArgumentDefinition, Measure, Metric } from './define.ts'
import { RANK_METRICS, SET_METRICS } from './rank.ts'
import { FULL_BUDGET } from './view.ts'

export const METRICS = createRegistry<Metric>(
  'measure',
  [...RANK_METRICS, ...CONTEXT_METRICS, ...CALL_METRICS, ...ENTITY_METRICS, ...SET_METRICS],
  '`touchstone list measures` shows all',
)

/**
 * A measure's name: `metric`, `metric@cutoff`, `metric(arg=value, ...)@cutoff` or `metric@cutoff(arg=value, ...)`; a
 * cutoff is a rank (`10`), a token budget (`1000tok`) or a recall level (`0.10`).
 */
const FORM = /^([a-z_][a-z0-9_]*)(?:\(([^()]*)\))?(?:@([0-9.]+)(tok)?)?(?:\(([^()]*)\))?$/i

export interface ParseOptions {
  /** Relevance threshold of names without `rel`; 1 by default. */
  readonly rel?: number
  readonly metrics?: Registry<Metric>
}

/** Parses one measure. Throws a UserError that names the nearest known name, or what is allowed. */
export function parseMeasure(name: string, options: ParseOptions = {}): Measure {
  const { metrics = METRICS } = options
  const [, word, before, cutoff, tok, after] = FORM.exec(name.trim()) ?? []
  const metric = metrics.byName.get(word?.toLowerCase() ?? '')
  if (!metric) {
    // `ndcg10` and `recall_at_5` lack the sign before the cutoff.
    const [, head = '', glued] = /^([a-z_]+?)(?:_at)?_?(\d+)$/i.exec(name.trim()) ?? []
    if (metrics.byName.has(head.toLowerCase()))
      throw new UserError(
        `there is no ${metrics.word} \`${name}\` (did you mean "${head.toLowerCase()}@${glued}"?); ${metrics.hint}`,
      )
    throw new UserError(unknown(metrics, word ?? name, word ? name.trim().slice(word.length) : ''))
  }
  if (before !== undefined && after !== undefined)
    throw new UserError(`\`${name}\` has arguments twice; write ${example(metric)}`)
  const args = readArguments(name, metric, before ?? after ?? '', options.rel)
  const rank = cutoff === undefined ? null : Number(cutoff)
  checkCutoff(name, metric, rank, tok !== undefined)
  const budget = tok ? rank : metric.cutoffIn === 'tokens' ? FULL_BUDGET : null
  return {
    name: print(metric, args, cutoff, budget),
    metric,
    k: rank !== null && !tok && metric.cutoffIn !== 'recall' ? rank : Number.POSITIVE_INFINITY,
    budget,
    level: metric.cutoffIn === 'recall' ? rank : null,
    needs: budget === null ? metric.needs : 'tokens',
    rel: 'rel' in args ? Number(args.rel) : (options.rel ?? 1),
    args,
  }
}

/** Parses several; all errors at once. The same measure twice is an error. */
export function parseMeasures(names: readonly string[], options: ParseOptions = {}): Measure[] {
  const diagnostics = collectDiagnostics()
  const measures = new Map<string, Measure>()
  for (const name of names) {
    const measure = diagnostics.attempt(() => parseMeasure(name, options))
    if (!measure) continue
    if (measures.has(measure.name)) diagnostics.add({ message: `\`${name}\` is named twice` })
    measures.set(measure.name, measure)
  }
  diagnostics.throwIfAny()
  return [...measures.values()]
}

function checkCutoff(name: string, metric: Metric, cutoff: number | null, tokens: boolean): void {
  const { cutoffIn } = metric
  const wrong = (message: string) => new UserError(`\`${name}\` ${message}, as ${example(metric)}`)
  if (cutoff === null) {
    if (metric.cutoff === 'required') throw wrong('needs a cutoff')
    return
  }
  if (metric.cutoff === 'none') throw new UserError(`\`${name}\` takes no cutoff; write \`${metric.name}\``)
  if (cutoffIn === 'recall') {
    if (tokens || !(cutoff >= 0 && cutoff <= 1)) throw wrong('needs a recall level from 0 to 1')
    return
  }
  if (tokens && cutoffIn === 'ranks') throw wrong('has no token budget; its cutoff is a rank')
  if (!tokens && cutoffIn === 'tokens') throw wrong('needs a token budget')
  if (!Number.isSafeInteger(cutoff) || cutoff < 1) throw wrong('needs a whole cutoff of 1 or more')
}

function readArguments(
  name: string,
  metric: Metric,
  text: string,
  rel: number | undefined,
): Record<string, number | string> {
  const values = new Map<string, string>()
  for (const part of text.split(',').filter((part) => part.trim() !== '')) {
    const [key, value = ''] = part.split('=').map((piece) => piece.trim())
    if (!(key in metric.args)) {
      const names = Object.keys(metric.args)
      const allowed =
        names.length === 0 ? 'it takes none' : `it takes ${names.map((name) => `\`${name}\``).join(', ')}`
      throw new UserError(
        `\`${name}\`: ${metric.name} has no argument \`${key}\`${didYouMean(key, names)}; ${allowed}`,
      )
    }
    values.set(key, value)
  }
  return Object.fromEntries(
    Object.entries(metric.args).map(([key, definition]) => {
      const value = values.get(key)
      if (value !== undefined) return [key, readArgument(name, key, value, definition)]
      return [key, key === 'rel' && rel !== undefined ? rel : definition.default]
    }),
  )
}

function readArgument(
  name: string,
  key: string,
  value: string,
  definition: ArgumentDefinition,
): number | string {
  if (definition.choices) {
    if (definition.choices.includes(value)) return value
    throw new UserError(`\`${name}\`: \`${key}\` is ${definition.choices.join(' or ')}, not \`${value}\``)
  }
  if (definition.free) {
    if (/^[\w.-]+$/.test(value)) return value
    throw new UserError(`\`${name}\`: \`${key}\` is a word of letters, digits, _, . and -, not \`${value}\``)
  }
  const number = value === '' ? Number.NaN : Number(value)
  const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY, integer } = definition
  if (number >= min && number <= max && (!integer || Number.isInteger(number))) return number
  const kind = integer ? 'a whole number' : 'a number'
  throw new UserError(`\`${name}\`: \`${key}\` is ${kind} from ${min} to ${max}, not \`${value}\``)
}

/** A name contains only values that differ from the defaults. */
function print(
  metric: Metric,
  args: Record<string, number | string>,
  cutoff: string | undefined,
  budget: number | null,
): string {
  const changed = Object.entries(args).filter(([key, value]) => value !== metric.args[key].default)
  const written =
    changed.length === 0 ? '' : `(${changed.map(([key, value]) => `${key}=${value}`).join(',')})`
  if (budget !== null) return `${metric.name}@${budget}tok${written}`
  if (cutoff === undefined) return `${metric.name}${written}`
  return `${metric.name}${written}@${metric.cutoffIn === 'recall' ? Number(cutoff).toFixed(2) : Number(cutoff)}`
}

function example(metric: Metric): string {
  const { name, cutoffIn } = metric
  if (metric.cutoff === 'none') return `\`${name}\``
  if (cutoffIn === 'recall') return `\`${name}@0.10\``
  return cutoffIn === 'tokens' ? `\`${name}@${FULL_BUDGET}tok\`` : `\`${name}@10\``
}
