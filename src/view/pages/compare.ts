import { diffNotes, verdictWords } from '../../report/diff.ts'
import { type Html, html, withCode } from '../../report/html.ts'
import { isCount, measured } from '../../report/measured.ts'
import { plural, points, pointsInterval, probability, quantity } from '../../report/numbers.ts'
import { limitsInWords } from '../../report/outcome.ts'
import { stageWords } from '../../report/stage-words.ts'
import { breakable, type Column, htmlTable } from '../../report/table.ts'
import type { Diff, DiffSide, Flipped } from '../../results/diff.ts'
import type { FirstDifference, QueryOfRow } from '../../results/flipped.ts'
import type { MacroSummary } from '../../results/macro.ts'
import type { Entry } from '../describe.ts'
import { addressOf, type ViewPage } from './frame.ts'
import { dateTime } from './home.ts'

/** Two experiments over one dataset; `error` if they cannot be compared. */
export interface Pair {
  readonly before: Entry
  readonly now: Entry
  readonly compared: { readonly diff: Diff } | { readonly error: string }
}

export interface CompareState {
  readonly names: readonly string[]
  /** Measure of the tests; null for each pair's own primary measure. */
  readonly measure: string | null
  /** Row whose flipped queries are shown; null for the one that changed most. */
  readonly row: string | null
}

export function compareState(query: URLSearchParams): CompareState {
  return {
    names: [...new Set(query.getAll('with'))],
    measure: query.get('measure') || null,
    row: query.get('row') || null,
  }
}

/** Chunks of a ranking that are shown. */
const SHOWN = 10

/**
 * Experiments side by side: the first is compared with each of the others, dataset by dataset. `macros` are their tables over
 * several datasets; null for an experiment over one.
 */
export function comparePage(
  all: readonly Entry[],
  pairs: readonly Pair[],
  macros: readonly (MacroSummary | null)[],
  measures: readonly string[],
  state: CompareState,
): ViewPage {
  return {
    title: `Compare ${all.map(({ name }) => name).join(', ')}`,
    heading: html`<h1>Compare experiments</h1><p class="subtitle">${all.map(({ name }, at) => html`${at > 0 ? ', ' : null}<bdi>${name}</bdi>`)}</p>`,
    main: html`${overview(all, measures, state)}${macroSection(all, macros, state)}${pairs.map((pair, at) => pairSection(pair, at, state))}`,
    live: false,
  }
}

function overview(all: readonly Entry[], measures: readonly string[], state: CompareState): Html {
  const measure =
    measures.length > 1
      ? html`<form class="controls" action="/compare" method="get">${state.names.map((name) => html`<input type="hidden" name="with" value="${name}">`)}<label>Measure <select name="measure">${measures.map((name) => html`<option value="${name}"${name === state.measure ? html` selected` : null}>${name}</option>`)}</select></label><button>Show</button></form>`
      : null
  return html`<section id="overview">${measure}${htmlTable<Entry>({
    id: 'sides',
    caption: html`The experiments; each is compared with the first, <bdi>${all[0].name}</bdi>.`,
    columns: [
      {
        head: 'experiment',
        left: true,
        html: ({ name }) => html`<a href="${addressOf('report', name)}"><bdi>${name}</bdi></a>`,
      },
      { head: 'dataset', left: true, html: ({ datasets }) => html`<bdi>${datasets.join(', ')}</bdi>` },
      { head: 'winner', left: true, html: ({ winner }) => html`<bdi>${winner?.name}</bdi>` },
      {
        head: 'primary measure',
        left: true,
        html: ({ winner, primary }) =>
          html`<b>${winner?.shown}</b> <span class="interval">${winner?.interval}</span> <span class="measure">${primary}</span>`,
      },
      { head: 'date', left: true, html: ({ date }) => dateTime(date) },
    ],
    rows: all,
  })}</section>`
}

/** Means over the datasets of each experiment; nothing if one of them has a single dataset. */
function macroSection(
  all: readonly Entry[],
  macros: readonly (MacroSummary | null)[],
  { measure }: CompareState,
): Html | null {
  const tables = macros.filter((macro) => macro !== null)
  if (measure === null || tables.length < macros.length) return null
  const means = tables.map(
    ({ rows }) => new Map(rows.map(({ name, macro }) => [name, macro?.[measure]?.mean])),
  )
  const names = [...new Set(tables.flatMap(({ rows }) => rows.map(({ name }) => name)))]
  return html`<section id="macro" aria-labelledby="macro-title"><h2 id="macro-title">Means over datasets</h2>${htmlTable<string>(
    {
      id: 'macro-means',
      caption: html`${measure}, the unweighted mean over each experiment’s own datasets. Tests follow by dataset.`,
      columns: [
        { head: 'row', left: true, html: (name) => html`<bdi>${name}</bdi>` },
        ...all.map((entry, at) => ({
          head: entry.name,
          html: (name: string) => measured(tables[at], measure, means[at].get(name)),
        })),
      ],
      rows: names,
    },
  )}</section>`
}

function pairSection(pair: Pair, at: number, state: CompareState): Html {
  const { before, now, compared } = pair
  const id = `pair-${at + 1}`
  const body =
    'error' in compared
      ? html`<p class="warning">${compared.error}</p>`
      : html`${configPart(compared.diff, id)}${dataPart(compared.diff, id)}${rowsPart(compared.diff, pair, id, state)}${flippedPart(compared.diff)}`
  return html`<section id="${id}" aria-labelledby="${id}-title"><h2 id="${id}-title"><bdi>${now.name}</bdi> compared with <bdi>${before.name}</bdi></h2>${body}</section>`
}

const columnsOf = <
  R extends { readonly before: Html | string; readonly now: Html | string },
>(): Column<R>[] => [
  { head: 'before', left: true, html: ({ before }) => before },
  { head: 'now', left: true, html: ({ now }) => now },
]

function configPart({ config }: Diff, id: string): Html {
  if (!config || config.length === 0) return html`<p>The configs are the same.</p>`
  const value = (json: unknown) =>
    json === undefined ? html`<i>absent</i>` : html`<code>${JSON.stringify(json)}</code>`
  return htmlTable({
    id: `${id}-config`,
    caption: html`${plural(config.length, 'key')} of the config ${config.length === 1 ? 'differs' : 'differ'}.`,
    columns: [
      { head: 'key', left: true, html: ({ key }) => html`<code>${key}</code>` },
      ...columnsOf<{ key: string; before: Html; now: Html }>(),
    ],
    rows: config.map(({ key, before, now }) => ({ key, before: value(before), now: value(now) })),
  })
}

function dataPart({ before, now, sameData }: Diff, id: string): Html {
  const counts = Object.keys(now.counts)
    .filter((name) => before.counts[name] !== now.counts[name])
    .map((name) => ({ name, before: quantity(before.counts[name]), now: quantity(now.counts[name]) }))
  const versions = ({ version }: DiffSide) => version
  const version =
    before.version === now.version
      ? html`Touchstone ${versions(now)} wrote both.`
      : html`Touchstone ${versions(before)} wrote the first, ${versions(now)} the second.`
  const table =
    counts.length === 0
      ? null
      : htmlTable({
          id: `${id}-data`,
          caption: html`Counts of the data that differ.`,
          columns: [
            { head: 'count', left: true, html: ({ name }) => name },
            ...columnsOf<(typeof counts)[number]>(),
          ],
          rows: counts,
        })
  return html`<p>The data ${sameData ? 'are the same' : 'differ'}. ${version}</p>${table}`
}

function rowsPart(diff: Diff, { before, now }: Pair, id: string, state: CompareState): Html {
  const { rows, measure, alone } = diff
  if (rows.length === 0)
    return html`<p>No row has the same name in both experiments, so none can be compared.</p>`
  const mean = (value: number) => measured(diff, measure, value)
  const change = (value: number) => (isCount(diff, measure) ? quantity(value) : points(value))
  const query = new URLSearchParams(state.names.map((name): [string, string] => ['with', name]))
  query.set('measure', measure)
  const flips = (row: string) => {
    query.set('row', row)
    return `/compare?${query}#${id}`
  }
  const only = ({ name }: Entry, names: readonly string[]) =>
    names.length === 0
      ? null
      : html`<details><summary>${plural(names.length, 'row')} only in <bdi>${name}</bdi></summary><p>${names.map((row, place) => html`${place > 0 ? ', ' : null}<bdi>${row}</bdi>`)}</p></details>`
  const table = htmlTable<Diff['rows'][number]>({
    id: `${id}-rows`,
    caption: html`${measure} of the rows with the same name in both, over the queries that both score. Differences are paired: now minus before. A row’s name opens its flipped queries.`,
    columns: [
      {
        head: 'row',
        left: true,
        html: ({ name }) => html`<a href="${flips(name)}"><bdi>${breakable(name)}</bdi></a>`,
      },
      { head: 'queries', html: ({ n }) => quantity(n) },
      { head: 'before', note: before.name, html: ({ before }) => mean(before) },
      { head: 'now', note: now.name, html: ({ now }) => html`<b>${mean(now)}</b>` },
      { head: 'difference', html: ({ before, now }) => change(now - before) },
      {
        head: '95 % interval',
        html: ({ test }) =>
          test &&
          limitsInWords(
            test,
            isCount(diff, measure) ? (low, high) => `[${quantity(low)}, ${quantity(high)}]` : pointsInterval,
          ),
      },
      { head: 'p', html: ({ test }) => test && probability(test.adjusted) },
      {
        head: 'queries won now / tied / before',
        html: ({ test }) => test && `${test.wins} / ${test.ties} / ${test.losses}`,
      },
      {
        head: 'verdict',
        left: true,
        html: ({ test }) =>
          test
            ? html`<span class="${test.verdict.replace(' ', '-')}">${verdictWords(test)}</span>`
            : 'not tested',
      },
    ],
    rows,
  })
  const notes = diffNotes(diff)
  const list =
    notes.length > 0
      ? html`<ul class="findings">${notes.map((note) => html`<li>${withCode(note)}</li>`)}</ul>`
      : null
  return html`${table}${list}${only(before, alone.before.rows)}${only(now, alone.now.rows)}`
}

function flippedPart({ flipped, measure, ...diff }: Diff): Html | null {
  const { name, gained, lost, equal, queries } = flipped
  const shown =
    queries.length < gained + lost ? ` The ${quantity(queries.length)} largest changes follow.` : ''
  return html`<h3>Flipped queries of <bdi>${name}</bdi></h3><p>${measure}: ${quantity(gained)} gained, ${quantity(lost)} lost, ${quantity(equal)} equal.${shown}</p>${queries.map((query) => flippedQuery(query, { ...diff, measure }))}`
}

function flippedQuery(
  { id, text, values, before, now, part }: Flipped['queries'][number],
  { measure, ...scales }: Pick<Diff, 'measure' | 'scales'>,
): Html {
  const value = (mean: number) => measured(scales, measure, mean)
  return html`<details class="flipped"><summary><b><bdi>${id}</bdi></b> <span class="change">${value(values.before)} → ${value(values.now)}</span> <bdi>${text}</bdi></summary>
<p class="caption-like">${partWords(part)}</p>
<div class="rankings">${rankingList('before', before, now)}${rankingList('now', now, before)}</div></details>\n`
}

function partWords(part: FirstDifference): Html {
  if (part.kind === 'unknown') return html`First difference unknown: ${part.why}.`
  if (part.kind === 'ranks') return html`No stage differs: both find the same gold at different ranks.`
  const lost = (ids: readonly string[]) => (ids.length === 0 ? 'none' : ids.join(', '))
  return html`First difference: <b>${part.stage}</b> (${stageWords(part.stage)}). Lost only before: ${lost(part.before)}; lost only now: ${lost(part.now)}.`
}

/** First chunks of a ranking with their ranks in the other one, and the gold below them. */
function rankingList(title: 'before' | 'now', { trial, ranking, gold }: QueryOfRow, other: QueryOfRow): Html {
  const head = html`<h4>${title}: <bdi>${trial ?? 'no trial'}</bdi></h4>`
  if (!ranking) return html`<div>${head}<p class="empty">Rankings of this trial were not stored.</p></div>`
  const otherRank = new Map(other.ranking?.map(({ chunk }, rank) => [chunk, rank + 1]))
  const items = ranking.slice(0, SHOWN).map(({ chunk, title: own, gold: isGold }, at) => {
    const rank = otherRank.get(chunk)
    const moved =
      rank === undefined ? 'new' : rank === at + 1 ? '' : `${title === 'now' ? 'was' : 'now'} ${rank}`
    return html`<li${isGold ? html` class="is-gold"` : null}><bdi>${own || chunk}</bdi>${isGold ? html` <span class="tag">gold</span>` : null}${other.ranking && moved ? html` <small>${moved === 'new' && title === 'before' ? 'gone' : moved}</small>` : null}</li>`
  })
  const below = gold.filter(({ rank }) => rank === 0 || rank > SHOWN)
  const missing =
    below.length === 0
      ? null
      : html`<p class="caption-like">Other gold: ${below.map(({ judged, rank }, at) => html`${at > 0 ? ', ' : null}<bdi>${judged}</bdi> ${rank === 0 ? 'not found' : `rank ${rank}`}`)}.</p>`
  return html`<div>${head}<ol>${items}</ol>${missing}</div>`
}
