import { collectDiagnostics } from '../errors.ts'
import type { Measure } from './define.ts'
import { type ParseOptions, parseMeasure } from './parse.ts'

/**
 * trec_eval's own names: `-m ndcg_cut.5,10` asks for ndcg_cut_5 and ndcg_cut_10, `-m official` for its default list.
 * They are understood where trec_eval's job is done, and printed as trec_eval prints them.
 */

/** A measure under the name it was asked for. */
export interface NamedMeasure {
  /** As printed: `ndcg_cut_10`, or our own name. */
  readonly label: string
  readonly measure: Measure
}

const CUTS = ['5', '10', '15', '20', '30', '100', '200', '500', '1000']
const RECALLS = ['0.00', '0.10', '0.20', '0.30', '0.40', '0.50', '0.60', '0.70', '0.80', '0.90', '1.00']

/** trec_eval's name, ours, and its default cutoffs where it has any. */
const NAMES: readonly (readonly [trec: string, measureName: string, cutoffs?: readonly string[]])[] = [
  ['num_q', 'num_q'],
  ['num_ret', 'num_ret'],
  ['num_rel', 'num_rel'],
  ['num_rel_ret', 'num_rel_ret'],
  ['map', 'map'],
  ['gm_map', 'gm_map'],
  ['Rprec', 'rprec'],
  ['bpref', 'bpref'],
  ['recip_rank', 'mrr'],
  ['iprec_at_recall', 'iprec', RECALLS],
  ['P', 'precision', CUTS],
  ['recall', 'recall', CUTS],
  ['ndcg', 'ndcg'],
  ['ndcg_cut', 'ndcg', CUTS],
  ['map_cut', 'map', CUTS],
  ['success', 'hit', ['1', '5', '10']],
  ['set_P', 'set_precision'],
  ['set_recall', 'set_recall'],
]
const OFFICIAL = NAMES.slice(0, 11).map(([trec]) => trec)
const SETS: Readonly<Record<string, readonly string[]>> = {
  official: OFFICIAL,
  all_trec: NAMES.map(([trec]) => trec),
  set: ['num_ret', 'num_rel', 'num_rel_ret', 'set_P', 'set_recall'],
}

/** Reads names of both kinds, in the order asked; each printed name once. Throws a UserError with every error. */
export function askedMeasures(names: readonly string[], options?: ParseOptions): NamedMeasure[] {
  const byLabel = new Map<string, NamedMeasure>()
  const diagnostics = collectDiagnostics()
  for (const name of names.flatMap((name) => SETS[name] ?? [name])) {
    const named = diagnostics.attempt(() => fromTrec(name, options) ?? [fromOwn(name, options)])
    for (const measure of named ?? []) byLabel.set(measure.label, measure)
  }
  diagnostics.throwIfAny()
  return [...byLabel.values()]
}

function fromOwn(name: string, options?: ParseOptions): NamedMeasure {
  const measure = parseMeasure(name, options)
  return { label: name.trim(), measure }
}

/** `P.5,10`, `P` or `P_5`; undefined where the name is not one of trec_eval's that are supported. */
export function fromTrec(name: string, options?: ParseOptions): NamedMeasure[] | undefined {
  const [head, tail] = split(name, '.')
  const entry = NAMES.find(([trec]) => trec === head)
  if (entry) {
    const [trec, measureName, defaults] = entry
    const cutoffs = tail?.split(',') ?? defaults
    if (!cutoffs) return [{ label: trec, measure: parseMeasure(measureName, options) }]
    return cutoffs.map((cutoff) => withCutoff(trec, measureName, cutoff, options))
  }
  const [, base, cutoff] = /^(.+)_([0-9.]+)$/.exec(name) ?? []
  const single = NAMES.find(([trec, , defaults]) => trec === base && defaults)
  return single && [withCutoff(single[0], single[1], cutoff, options)]
}

function withCutoff(trec: string, measureName: string, cutoff: string, options?: ParseOptions): NamedMeasure {
  const measure = parseMeasure(`${measureName}@${cutoff}`, options)
  return { label: `${trec}_${measure.level === null ? measure.k : measure.level.toFixed(2)}`, measure }
}

function split(text: string, at: string): [string, string?] {
  const index = text.indexOf(at)
  return index < 0 ? [text] : [text.slice(0, index), text.slice(index + 1)]
}
