import type { Curves } from '../../results/read.ts'
import type { Summary } from '../../results/summary.ts'
import { budgetSpec } from '../charts/budget.ts'
import type { Chart, ChartRow } from '../charts/chart.ts'
import { term } from '../glossary.ts'
import { type Html, html } from '../html.ts'
import { representing, strategiesOf } from '../leaderboard-rows.ts'
import { percent, plural } from '../numbers.ts'
import { htmlTable } from '../table.ts'
import { key } from './section.ts'

/** Token budget at which the curves end. */
const MAX = 4000
/** Step in tokens between drawn points; a small step would enlarge reports of many trials. */
const EVERY = 20
/** Budgets at which a curve carries its strategy's mark. */
const MARKED = [1000, 2000, 3000, 4000]

const BUDGET = /^recall@(\d+)tok$/

interface Curve {
  readonly evidence: string
  readonly tokens: readonly number[]
  readonly recall: readonly number[]
}

/** Chart of recall against a token budget; null if no curve was stored for these trials. */
export function budgetChart(summary: Summary, curves: Curves, chosen: readonly number[]): Chart | null {
  const budgets = summary.measures.flatMap((measure) => {
    const match = BUDGET.exec(measure)
    return match && Number(match[1]) <= MAX ? [{ measure, tokens: Number(match[1]) }] : []
  })
  const drawn = chosen.map((index) => ({ index, own: curvesOf(curves, index) }))
  if (drawn.every(({ own }) => own.length === 0)) return null
  const strategies = strategiesOf(summary.trials)
  const rows: ChartRow[] = drawn.flatMap(({ index, own }) => {
    const { name, strategy, measures } = summary.trials[index]
    const none = { evidence: 'beside', recall: null, marked: false, low: null, high: null }
    const beside = own.find(({ evidence }) => evidence === 'beside')
    return [
      ...own.flatMap((curve) =>
        Array.from({ length: MAX / EVERY + 1 }, (_, step) => {
          const tokens = step * EVERY
          const { evidence } = curve
          return { ...none, name, strategy, tokens, evidence, recall: heightAt(curve, tokens) }
        }),
      ),
      ...MARKED.flatMap((tokens) =>
        beside ? [{ ...none, name, strategy, tokens, recall: heightAt(beside, tokens), marked: true }] : [],
      ),
      ...budgets.map(({ measure, tokens }) => {
        const { low, high } = measures[measure]
        return { ...none, name, strategy, tokens, low, high }
      }),
    ]
  })
  const measured = rows.some(({ low }) => low !== null)
  const dashed = rows.some(({ evidence }) => evidence === 'first')
  return {
    id: 'budget',
    spec: budgetSpec(strategies, 'recall within the budget', measured),
    rows,
    caption: html`Recall against a budget of tokens: whole chunks in rank order until the next does not fit. Higher is better; a line that rises late needs a long context. Exact every ${EVERY} tokens${measured ? html`; thin rules are the intervals of ${budgets.map(({ measure }) => measure).join(', ')}` : null}${dashed ? html`; a dashed line spends the budget on evidence first` : null}. ${representing(summary)}, n = ${plural(summary.dataset.judged, 'query', 'queries')}.`,
    label: `Recall from 0 to ${MAX} tokens for ${chosen.length} trials`,
    above: key(
      strategies,
      drawn.map(({ index }) => summary.trials[index]),
    ),
  }
}

/** Table of the area under each curve; null without curves. */
export function areaTable(summary: Summary, curves: Curves, chosen: readonly number[]): Html | null {
  const rows = chosen.flatMap((index) => {
    const own = curvesOf(curves, index)
    if (own.length === 0) return []
    const areaOf = (evidence: string) => {
      const curve = own.find((one) => one.evidence === evidence)
      return curve ? area(curve) : null
    }
    return [{ name: summary.trials[index].name, beside: areaOf('beside'), first: areaOf('first') }]
  })
  if (rows.length === 0) return null
  type Area = (typeof rows)[number]
  const column = (head: string, title: string, of: (row: Area) => number | null) => ({
    head,
    title,
    html: (row: Area) => (of(row) === null ? '' : percent(of(row), 2)),
    value: of,
  })
  return htmlTable<Area>({
    id: 'budget-area',
    caption: html`${term('area under the curve', 'Area under the recall-token curve')} from 0 to ${MAX} tokens, in percent of the maximum: one number for all budgets.`,
    columns: [
      { head: 'trial', left: true, html: ({ name }) => name },
      column('area', 'evidence is not counted in the budget', ({ beside }) => beside),
      ...(rows.some(({ first }) => first !== null)
        ? [column('evidence first', 'evidence is paid from the budget first', ({ first }) => first)]
        : []),
    ],
    rows: [...rows].sort((a, b) => (b.beside ?? 0) - (a.beside ?? 0)),
  })
}

function curvesOf({ rows, trial, evidence, tokens, recall }: Curves, index: number): Curve[] {
  const found = new Map<string, { evidence: string; tokens: number[]; recall: number[] }>()
  for (let row = 0; row < rows; row++) {
    if (trial[row] !== index) continue
    const name = evidence.words[evidence.codes[row]]
    const own = found.get(name) ?? { evidence: name, tokens: [], recall: [] }
    found.set(name, own)
    own.tokens.push(tokens[row])
    own.recall.push(recall[row])
  }
  return [...found.values()]
}

/** The height of the last step at or before a budget. */
function heightAt({ tokens, recall }: Curve, budget: number): number {
  const after = tokens.findIndex((step) => step > budget)
  return recall[(after < 0 ? tokens.length : after) - 1] ?? 0
}

function area({ tokens, recall }: Curve): number {
  let sum = 0
  tokens.forEach((begin, step) => {
    sum += recall[step] * (Math.min(tokens[step + 1] ?? MAX, MAX) - begin)
  })
  return sum / MAX
}
