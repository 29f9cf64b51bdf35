import { UserError } from '../errors.ts'
import { pairedScale } from '../report/measured.ts'
import { compareExperiments } from '../results/compare-experiments.ts'
import { readSummary } from '../results/read.ts'
import { type Entry, reasonOf } from './describe.ts'
import { keep } from './keep.ts'
import { type CompareState, comparePage, type Pair } from './pages/compare.tsx'
import type { ViewPage } from './pages/frame.tsx'

const MOST = 6

const FLIPPED = 20

/** Cached pairs. */
const KEPT = 48

/** Compares chosen experiments among `all`. Throws a UserError if they cannot be compared. */
export function openCompare(root: string): (state: CompareState, all: readonly Entry[]) => Promise<ViewPage> {
  const pairs = keep<Pair['compared']>(KEPT)

  return async (state, all) => {
    const chosen = state.names.map((name) => {
      const entry = all.find((one) => one.name === name)
      if (!entry) throw new UserError(`there is no experiment ${name} in this folder`)
      if (entry.state !== 'finished')
        throw new UserError(`${name} cannot be compared before it is finished; its state is: ${entry.state}`)
      return entry
    })
    if (chosen.length < 2 || chosen.length > MOST)
      throw new UserError(`choose two to ${MOST} experiments in the list, then press "Compare selected"`)
    const [first, ...others] = chosen
    const [own, ...further] = chosen.map(measuresOf)
    const measures = own.filter((measure) => further.every((list) => list.includes(measure)))
    const measure = state.measure !== null && measures.includes(state.measure) ? state.measure : null
    const asked = {
      ...state,
      measure: measure ?? (measures.includes(first.primary) ? first.primary : (measures[0] ?? null)),
    }
    const compared: Pair[] = []
    for (const now of others)
      for (const [before, same] of sameDatasets(partsOf(first, all), partsOf(now, all))) {
        const pair = same
          ? await pairOf(before, same, asked)
          : { error: `${now.name} has no dataset named ${before.datasets[0]}.` }
        compared.push({ before, now: same ?? now, compared: pair })
      }
    const summaries = chosen.map(({ folder }) => readSummary(folder))
    return comparePage(chosen, compared, summaries, measures, asked)
  }

  function pairOf(first: Entry, now: Entry, { measure, row }: CompareState): Promise<Pair['compared']> {
    return pairs(
      [first, now]
        .map(({ name, result }) => `${name} ${result}`)
        .concat(measure ?? '', row ?? '')
        .join('\n'),
      async () => {
        const question = {
          folders: [first.folder, now.folder],
          measure: measure ?? undefined,
          limit: FLIPPED,
          scaleOf: pairedScale,
        }
        try {
          const diff = await compareExperiments({ ...question, rows: [] })
          const isRow = row !== null && diff.rows.some(({ name }) => name === row)
          if (!isRow || row === diff.flipped.name) return { diff }
          const own = await compareExperiments({ ...question, rows: [{ before: row, now: row }] })
          return { diff: { ...diff, flipped: own.flipped } }
        } catch (error) {
          return { error: reasonOf(error, root) }
        }
      },
    )
  }
}

const measuresOf = ({ folder }: Entry) => readSummary(folder).measures

/** Experiments of an entry's datasets, or itself. */
function partsOf(entry: Entry, all: readonly Entry[]): readonly Entry[] {
  const names = entry.children.map((child) => (entry.name === '.' ? child : `${entry.name}/${child}`))
  return names.length === 0 ? [entry] : all.filter(({ name }) => names.includes(name))
}

/** Pairs over datasets of the same name. Two experiments over one dataset each are always a pair. */
function sameDatasets(
  before: readonly Entry[],
  now: readonly Entry[],
): (readonly [Entry, Entry | undefined])[] {
  if (before.length === 1 && now.length === 1) return [[before[0], now[0]]]
  const named = ({ datasets }: Entry) => now.find((other) => other.datasets[0] === datasets[0])
  const pairs = before.map((one) => [one, named(one)] as const)
  return before.length === 1 || now.length === 1 ? pairs.filter(([, same]) => same) : pairs
}
