import type { ComponentChildren } from 'preact'
import { UserError } from '../errors.ts'
import { comparedNotes, comparedParts, flippedLines, flippedText } from '../report/compared.tsx'
import { htmlTable } from '../report/components/html-table.tsx'
import { measured, pairedScale } from '../report/measured.ts'
import { listed, say, withCode } from '../report/words.tsx'
import { type ComparedExperiments, compareExperiments } from '../results/compare-experiments.ts'
import { readSummary } from '../results/read.ts'
import type { Summary } from '../results/summary.ts'
import { type Entry, reasonOf } from './describe.ts'
import { addressOf, Section, type ViewPage } from './frame.tsx'
import { dateTime, primaryOf } from './home.tsx'

const MOST = 6
const FLIPPED = 20

/** The first experiment against each of the others, by dataset. Throws a UserError if they cannot be compared. */
export async function comparePage(
  root: string,
  state: CompareState,
  all: readonly Entry[],
): Promise<ViewPage> {
  const chosen = state.names.map((name) => {
    const entry = all.find((candidate) => candidate.name === name)
    if (!entry) throw new UserError(`there is no experiment ${name} in this folder`)
    if (entry.state !== 'finished')
      throw new UserError(`${name} cannot be compared before it is finished; its state is: ${entry.state}`)
    return entry
  })
  if (chosen.length < 2 || chosen.length > MOST)
    throw new UserError(`choose two to ${MOST} experiments in the list, then press "Compare selected"`)
  const summaries = chosen.map(({ folder }) => readSummary(folder))
  const [first, ...others] = chosen
  const [firstMeasures, ...further] = summaries.map(({ measures }) => measures)
  const measures = firstMeasures.filter((measure) => further.every((list) => list.includes(measure)))
  const preferred = [state.measure ?? '', first.primary, ...measures]
  const measure = preferred.find((name) => measures.includes(name))
  const pairs: ComponentChildren[] = []
  for (const now of others)
    for (const [before, same] of sameDatasets(partsOf(first, all), partsOf(now, all))) {
      const compared = same
        ? await comparisonOf(root, before, same, measure)
        : `${now.name} has no dataset named ${before.datasets[0]}.`
      pairs.push(pairSection(before, same ?? now, compared, pairs.length + 1))
    }
  return {
    title: `Compare ${state.names.join(', ')}`,
    heading: (
      <>
        <h1>Compare experiments</h1>
        <p class="subtitle">{listed(state.names, state.names.length)}</p>
      </>
    ),
    main: [overview(chosen, measures, measure), macroSection(chosen, summaries, measure), pairs],
  }
}

/** A comparison, or the reason for having none. */
async function comparisonOf(
  root: string,
  before: Entry,
  now: Entry,
  measure: string | undefined,
): Promise<ComparedExperiments | string> {
  try {
    const folders = [before.folder, now.folder]
    return await compareExperiments({ folders, rows: [], measure, limit: FLIPPED, scaleOf: pairedScale })
  } catch (error) {
    return reasonOf(error, root)
  }
}

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
  const pairs = before.map((entry) => [entry, named(entry)] as const)
  return before.length === 1 || now.length === 1 ? pairs.filter(([, same]) => same) : pairs
}

interface CompareState {
  readonly names: readonly string[]
  /** Null for the primary measure. */
  readonly measure: string | null
}

export function compareState(query: URLSearchParams): CompareState {
  return { names: [...new Set(query.getAll('with'))], measure: query.get('measure') }
}

/** Characters of a line. */
const COLUMNS = 120

function overview(all: readonly Entry[], measures: readonly string[], measure: string | undefined) {
  const form = (
    <form class="controls" action="/compare" method="get">
      {all.map(({ name }) => (
        <input type="hidden" name="with" value={name} />
      ))}
      <label>
        Measure{' '}
        <select name="measure" value={measure}>
          {measures.map((name) => (
            <option value={name}>{name}</option>
          ))}
        </select>
      </label>
      <button type="submit">Show</button>
    </form>
  )
  const table = htmlTable<Entry>({
    id: 'sides',
    caption: say`The experiments; each is compared with the first, ${<bdi>{all[0].name}</bdi>}.`,
    columns: [
      {
        head: 'experiment',
        left: true,
        html: ({ name }) => (
          <a href={addressOf('report', name)}>
            <bdi>{name}</bdi>
          </a>
        ),
      },
      { head: 'dataset', left: true, html: ({ datasets }) => <bdi>{datasets.join(', ')}</bdi> },
      { head: 'winner', left: true, html: ({ winner }) => <bdi>{winner?.name}</bdi> },
      { head: 'primary measure', left: true, html: primaryOf },
      { head: 'date', left: true, html: ({ date }) => dateTime(date) },
    ],
    rows: all,
  })
  return (
    <section id="overview">
      {measures.length > 1 && form}
      {table}
    </section>
  )
}

/** Null if an experiment has one dataset. */
function macroSection(all: readonly Entry[], summaries: readonly Summary[], measure: string | undefined) {
  if (measure === undefined || summaries.some(({ datasets }) => datasets.length === 1)) return null
  const means = summaries.map(
    ({ trials, tuned }) =>
      new Map([...trials, ...tuned].map(({ name, measures }) => [name, measures[measure]?.mean])),
  )
  const table = htmlTable<string>({
    id: 'macro-means',
    caption: `${measure}, the unweighted mean over each experiment’s own datasets. Tests follow by dataset.`,
    columns: [
      { head: 'row', left: true, html: (name) => <bdi>{name}</bdi> },
      ...all.map((entry, at) => ({
        head: entry.name,
        html: (name: string) => measured(summaries[at], measure, means[at].get(name)),
      })),
    ],
    rows: [...new Set(means.flatMap((byName) => [...byName.keys()]))],
  })
  return (
    <Section id="macro" title="Means over datasets">
      {table}
    </Section>
  )
}

function pairSection(before: Entry, now: Entry, compared: ComparedExperiments | string, at: number) {
  const title = say`${<bdi>{now.name}</bdi>} compared with ${<bdi>{before.name}</bdi>}`
  return (
    <Section id={`pair-${at}`} title={title}>
      {typeof compared === 'string' ? <p class="warning">{compared}</p> : diffPart(compared, `pair-${at}`)}
    </Section>
  )
}

function diffPart(diff: ComparedExperiments, id: string) {
  return (
    <>
      <p>
        Rows with the same name are compared over the queries that both score. Differences are paired: now
        minus before.
      </p>
      {comparedParts(diff).map((part, at) => part.html(`${id}-${at}`))}
      <ul class="findings">
        {comparedNotes(diff).map((note) => (
          <li>{withCode(note)}</li>
        ))}
      </ul>
      <h3>Flipped queries</h3>
      <p>{flippedText(diff)}</p>
      {diff.flipped.queries.map((query) => {
        const [head, ...lines] = flippedLines(query, diff, COLUMNS)
        return (
          <details class="flipped">
            <summary>{head}</summary>
            <div class="scroll" tabIndex={0} role="group" aria-label={`Rankings of ${query.id}`}>
              <pre>{lines.join('\n')}</pre>
            </div>
          </details>
        )
      })}
    </>
  )
}
