import { comparedNotes, comparedParts, flippedLines, flippedText } from '../../report/compared.tsx'
import { htmlTable } from '../../report/components/html-table.tsx'
import { measured } from '../../report/measured.ts'
import { listed, say, withCode } from '../../report/words.tsx'
import type { ComparedExperiments } from '../../results/compare-experiments.ts'
import type { Summary } from '../../results/summary.ts'
import type { Entry } from '../describe.ts'
import { addressOf, Section, type ViewPage } from './frame.tsx'
import { dateTime, primaryOf } from './home.tsx'

/** `error` if they cannot be compared. */
export interface Pair {
  readonly before: Entry
  readonly now: Entry
  readonly compared: { readonly diff: ComparedExperiments } | { readonly error: string }
}

export interface CompareState {
  readonly names: readonly string[]
  /** Null for the primary measure. */
  readonly measure: string | null
  /** Null for the row that changed most. */
  readonly row: string | null
}

export function compareState(query: URLSearchParams): CompareState {
  return {
    names: [...new Set(query.getAll('with'))],
    measure: query.get('measure') || null,
    row: query.get('row') || null,
  }
}

/** Characters of a line. */
const COLUMNS = 120

/** The first experiment is compared with each of the others, by dataset. */
export function comparePage(
  all: readonly Entry[],
  pairs: readonly Pair[],
  summaries: readonly Summary[],
  measures: readonly string[],
  state: CompareState,
): ViewPage {
  const names = all.map(({ name }) => name)
  return {
    title: `Compare ${names.join(', ')}`,
    heading: (
      <>
        <h1>Compare experiments</h1>
        <p class="subtitle">{listed(names, names.length)}</p>
      </>
    ),
    main: [
      overview(all, measures, state),
      macroSection(all, summaries, state),
      pairs.map((pair, at) => pairSection(pair, at, state)),
    ],
    live: false,
  }
}

function overview(all: readonly Entry[], measures: readonly string[], state: CompareState) {
  const form = (
    <form class="controls" action="/compare" method="get">
      {state.names.map((name) => (
        <input type="hidden" name="with" value={name} />
      ))}
      <label>
        Measure{' '}
        <select name="measure" value={state.measure ?? ''}>
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
function macroSection(all: readonly Entry[], summaries: readonly Summary[], { measure }: CompareState) {
  if (measure === null || summaries.some(({ datasets }) => datasets.length === 1)) return null
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

function pairSection({ before, now, compared }: Pair, at: number, state: CompareState) {
  const id = `pair-${at + 1}`
  const title = say`${<bdi>{now.name}</bdi>} compared with ${<bdi>{before.name}</bdi>}`
  return (
    <Section id={id} title={title}>
      {'error' in compared ? <p class="warning">{compared.error}</p> : diffPart(compared.diff, id, state)}
    </Section>
  )
}

function diffPart(diff: ComparedExperiments, id: string, state: CompareState) {
  const query = new URLSearchParams(state.names.map((name): [string, string] => ['with', name]))
  query.set('measure', diff.measure)
  const flips = (row: string) => {
    query.set('row', row)
    return `/compare?${query}#${id}`
  }
  return (
    <>
      <p>
        Rows with the same name are compared over the queries that both score. Differences are paired: now
        minus before. A row’s name opens its flipped queries.
      </p>
      {comparedParts(diff, flips).map((part, at) => part.html(`${id}-${at}`))}
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
