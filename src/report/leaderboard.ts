import type { Latency } from '../results/latency.ts'
import type { Summary } from '../results/summary.ts'
import { paramsInBrief, withoutParams } from './brief-names.ts'
import { fallbackLines } from './fallbacks.ts'
import { clean, shorten, wrap } from './lines.ts'
import { corrected, interval, milliseconds, percent, plural, points, quantity } from './numbers.ts'
import { confidence, type Standing, standingsOf } from './standings.ts'

/** Rows of a long table that are printed; `--csv` has all. */
const SHOWN = 30

interface Column {
  readonly head: string
  readonly cell: (row: Standing, place: number) => string
  readonly left?: true
}

/**
 * The leaderboard as text for a terminal of `columns` characters (80 fit): rank, trial, the primary measure with its
 * interval, the difference to the baseline with its verdict, tokens; then p95 and other measures while there is room.
 */
export function leaderboardText(summary: Summary, latency: Latency | null, { columns = 80 } = {}): string {
  const { ranked, seen } = standingsOf(summary, latency)
  const { dataset, primary, trials, comparison } = summary
  const lines = [
    `${summary.experiment}: ${primary} in percent, ${quantity(dataset.judged)} judged queries, ${plural(trials.length, 'trial')}`,
    '',
    ...table(ranked, summary, columns),
  ]
  if (seen.length > 0)
    lines.push(
      '',
      'All trials, over all queries (these means were seen in tuning):',
      '',
      ...table(seen, summary, columns),
    )
  const fell = fallbackLines(summary)
  if (fell.length > 0) lines.push('', ...fell.flatMap((line) => wrap(line, columns)))
  lines.push('', ...wrap(tuningNote(summary), columns))
  const notes = [`Brackets: ${confidence(summary)}interval.`]
  if (comparison)
    notes.push(
      `Differences to ${baselineName(summary)}, ${corrected(comparison.correction)} over ${plural(comparison.rows.length, 'comparison')}.`,
      lettersNote(summary),
    )
  const failed = trials.filter(({ failed }) => failed > 0)
  if (failed.length > 0)
    notes.push(
      `Queries failed, counted as 0: ${failed.map((trial) => `${trial.name} ${trial.failed}`).join(', ')}.`,
    )
  if (dataset.missing > 0)
    notes.push(
      `${plural(dataset.missing, 'gold label')} of ${quantity(dataset.gold)} missing from the corpus.`,
    )
  lines.push(...wrap(notes.join(' '), columns))
  return `${lines.map(clean).join('\n')}\n`
}

function table(rows: readonly Standing[], summary: Summary, width: number): string[] {
  const measured = (measure: string): Column => ({
    head: measure,
    cell: (row) => percent(row.measures[measure]?.mean, 2),
  })
  // Letters stand behind the mean in a width of their own, so that decimals stay below one another.
  const most = Math.max(0, ...rows.map(({ lettered }) => lettered?.beats.length ?? 0))
  const beats = ({ lettered }: Standing) => (most > 0 ? ` ${(lettered?.beats ?? '').padEnd(most)}` : '')
  const letters = rows.some(({ lettered }) => lettered)
  const has = (of: (row: Standing) => unknown) => rows.some((row) => of(row) !== null)
  const fixed: Column[] = [
    {
      head: letters ? '#  ' : '#',
      cell: ({ lettered }, place) => `${place + 1}${letters ? ` ${lettered?.letter || ' '}` : ''}`,
    },
    {
      head: summary.tuned.length > 0 && rows[0]?.kind === 'tuned' ? 'strategy' : 'trial',
      cell: name,
      left: true,
    },
    {
      head: summary.primary,
      cell: (row) => `${percent(row.measures[summary.primary]?.mean, 2)}${beats(row)}`,
    },
    {
      head: '',
      cell: ({ measures }) =>
        interval(measures[summary.primary]?.low ?? null, measures[summary.primary]?.high ?? null),
      left: true,
    },
  ]
  // Where whole names would push out the other columns, params stand by value alone, and their names below.
  const brief =
    rows.some(({ name }) => name.length > Math.max(24, width - 56)) &&
    rows.some((row) => briefName(row, summary) !== row.name)
  function name(row: Standing): string {
    return clean(brief ? briefName(row, summary) : row.name)
  }
  const optional: Column[] = []
  const broken = (row: Standing) => row.failed === summary.dataset.queries
  if (has(({ compared }) => compared) || rows.some(broken))
    optional.push({
      head: 'to baseline',
      cell: (row) => (broken(row) ? 'failed' : difference(row)),
      left: true,
    })
  if (has(({ optimism }) => optimism))
    optional.push({ head: 'optimism', cell: ({ optimism }) => (optimism === null ? '' : points(optimism)) })
  if (has(({ tokens }) => tokens))
    optional.push({
      head: 'tokens',
      cell: ({ tokens }) => (tokens === null ? '' : quantity(Math.round(tokens))),
    })
  if (has(({ latency }) => latency))
    optional.push({ head: 'p95 ms', cell: ({ latency }) => (latency ? milliseconds(latency.p95.value) : '') })
  for (const measure of summary.measures) if (measure !== summary.primary) optional.push(measured(measure))

  const shown = rows.slice(0, SHOWN)
  const widthOf = ({ head, cell }: Column) =>
    Math.max(head.length, ...shown.map((row, place) => cell(row, place).length))
  const chosen = [...fixed]
  // A name may be cut to 24 characters to make room; below that, columns go instead.
  let room =
    width -
    fixed.reduce(
      (sum, column, place) => sum + 2 + (place === 1 ? Math.min(24, widthOf(column)) : widthOf(column)),
      -2,
    )
  for (const column of optional) {
    const needed = widthOf(column) + 2
    if (needed > room) continue
    room -= needed
    chosen.push(column)
  }
  const widths = chosen.map((column, place) =>
    place === 1
      ? Math.min(widthOf(column), Math.min(24, widthOf(column)) + Math.max(room, 0))
      : widthOf(column),
  )
  const line = (cells: readonly string[]) =>
    cells
      .map((text, place) =>
        chosen[place].left
          ? shorten(text, widths[place]).padEnd(widths[place])
          : text.padStart(widths[place]),
      )
      .join('  ')
      .trimEnd()
  return [
    line(chosen.map(({ head }) => head)),
    ...shown.map((row, place) => line(chosen.map(({ cell }) => cell(row, place)))),
    ...(rows.length > SHOWN
      ? [`… and ${quantity(rows.length - SHOWN)} more; \`touchstone leaderboard --csv\` has all`]
      : []),
    ...(brief ? ['', ...wrap(`Params: ${paramsInBrief(summary.trials).join('; ')}.`, width)] : []),
  ]
}

/** The row's name with params by value alone; of a tuned row as it is. */
function briefName({ id, name, strategy }: Standing, { trials }: Summary): string {
  const varied = trials.find((trial) => trial.id === id)?.varied
  return varied ? withoutParams({ name, strategy, varied }) : name
}

function difference({ compared, baseline }: Standing): string {
  if (baseline) return 'baseline'
  return compared ? `${points(compared.difference).padStart(5)} ${compared.verdict}` : ''
}

/** The name of what differences are drawn to: a trial, or a tuned row. */
export function baselineName({ comparison, trials, tuned }: Summary): string {
  const id = comparison?.baseline
  const row =
    trials.find((trial) => trial.id === id) ?? tuned.find(({ strategy }) => `tuned:${strategy}` === id)
  return row?.name ?? String(id)
}

const FAMILIES: Readonly<Record<string, string>> = {
  'best-per-strategy': 'the best of each strategy against the baseline',
  all: 'all against the baseline',
  pairs: 'every two',
}

/** What letters mean, and of which tests; '' where nothing was compared. */
export function lettersNote({ comparison, tuned }: Summary): string {
  if (!comparison) return ''
  const { family, correction, level, rows } = comparison
  const who =
    tuned.length > 0 && family !== 'pairs'
      ? 'each tuned strategy against the baseline'
      : (FAMILIES[family] ?? family)
  return `Letters: a row beats those whose letters stand beside its mean (paired randomization test, ${who}: ${plural(rows.length, 'comparison')}, ${corrected(correction)}, level ${level}).`
}

/** Whether the winner was chosen on the queries it is scored on, in words. */
export function tuningNote({ tuning, trials }: Summary): string {
  if (tuning.kind === 'folds')
    return `Strategies are tuned by ${tuning.folds} folds: chosen on the other folds, scored on this one. Optimism: how much the best trial's own mean flatters.`
  if (tuning.kind === 'split')
    return `Strategies are chosen on ${percent(tuning.dev, 0)} % of the queries and scored on the rest.`
  if (trials.length < 2) return ''
  return 'The order comes from the same queries that are scored, so the first place is flattered; `folds: 5` in the config removes that.'
}
