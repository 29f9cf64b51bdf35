import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { expectedText, type Means } from '../src/results/expected.ts'
import { signed, table } from './pages.ts'

/** A printed value, and the command and row that measure the same here. Keys: published/README.md. */
export interface PrintedRow {
  readonly name: string
  /** Share of 1 with the printed digits, as `.4158`. */
  readonly printed: string
  readonly command: string
  /** Row of the experiment; absent for `score`. */
  readonly trial?: string
  readonly measure: string
}

/** Rows of one source. */
export interface Source {
  readonly key: string
  readonly title: string
  readonly source: string
  readonly questions: string
  readonly about: string
  readonly needs?: 'network'
  /** Command whose comparison is printed too. */
  readonly compare?: string
  readonly commands: Readonly<Record<string, string>>
  readonly rows: readonly PrintedRow[]
}

/** Mean with its interval; null bounds if there is none. */
export type Value = readonly [mean: number, low: number | null, high: number | null]

/** Values of one command: by row (`''` for `score`) and measure, and sentences on the comparison of its rows. */
export interface Measured {
  readonly values: Readonly<Record<string, Readonly<Record<string, Value>>>>
  readonly comparison?: readonly string[]
}

/** Measured commands by `source/command`. */
export type MeasuredCommands = Readonly<Record<string, Measured>>

/** Sources by file name; those that need a network last. */
export function readSources(folder: string): Source[] {
  const sources = readdirSync(folder)
    .filter((file) => file.endsWith('.yaml'))
    .sort()
    .map((file): Source => {
      const source = parse(readFileSync(join(folder, file), 'utf8'))
      return { key: file.replace('.yaml', ''), ...source }
    })
  return [...sources.filter(({ needs }) => !needs), ...sources.filter(({ needs }) => needs)]
}

export const rowsOf = ({ rows }: Source, command: string) => rows.filter((row) => row.command === command)

/** Words of a command; `score` is asked for the measures of its rows. */
export function wordsOf(source: Source, command: string, shared: string): string[] {
  const words = source.commands[command].replaceAll('$TOUCHSTONE_SHARED', shared).split(' ')
  if (words[0] !== 'score') return words
  return [...words, ...rowsOf(source, command).flatMap(({ measure }) => ['-m', measure]), '--json']
}

/** Values of `score --json` by measure. */
export function scoresOf({
  runs: [{ measures }],
}: {
  readonly runs: readonly { readonly measures: Readonly<Record<string, number>> }[]
}): Record<string, Value> {
  return Object.fromEntries(Object.entries(measures).map(([label, mean]) => [label, [mean, null, null]]))
}

/** Tolerance of files of expected scores, and of the verdict "within 2 points". */
const TOLERANCE = 0.02

/** Texts of files of expected scores by command, for the commands of a source. */
export function expectedOf(source: Source): Record<string, string> {
  return Object.fromEntries(
    Object.keys(source.commands).map((command) => {
      const scores: Record<string, Record<string, number>> = {}
      for (const { trial = '', measure, printed } of rowsOf(source, command))
        scores[trial] = { ...scores[trial], [measure]: Number(printed) }
      return [command, expectedText(scores as Means, TOLERANCE)]
    }),
  )
}

export type Verdict = 'to the digit' | 'within 2 points' | 'not' | 'data not here'

/** Compares a value, rounded to the printed digits, with the printed one. */
export function verdictOf(printed: string, value: number | undefined): Verdict {
  if (value === undefined) return 'data not here'
  if (shownAs(printed, value) === printed) return 'to the digit'
  return Number(Math.abs(value - Number(printed)).toFixed(3)) <= TOLERANCE ? 'within 2 points' : 'not'
}

/** The value with as many digits as are printed. */
const shownAs = (printed: string, value: number) => value.toFixed(printed.length - 1).replace(/^0/, '')

const BEFORE = `# Published numbers

Values that papers, tables and repositories printed, beside values that a command measures here. \`npm run published -- --write\` writes
this page from [published/](../../published), where the rows are listed; the list was fixed before any was measured. All values are
shares of 1, and brackets hold 95 % intervals of ours. \`npm run published -- NAME\` runs one command or all of a section. It needs a
clone; \`TOUCHSTONE_SHARED\` names the folder of data that are not part of this repository.

- *to the digit*: equal after rounding to the printed digits. *within 2 points*: at most 2.0 points
  apart, in tenths of a point. *not*: further apart.
- *data not here*: not measured. Data or models come from a network, which was not at hand.
`

/** Text of docs/evidence/published.md. */
export function publishedPage(sources: readonly Source[], measured: MeasuredCommands): string {
  const verdicts = sources.flatMap((source) =>
    source.rows.map((row) => verdictOf(row.printed, measuredOf(source, row, measured)?.[0])),
  )
  const count = (verdict: Verdict) => verdicts.filter((each) => each === verdict).length
  const summary = (['to the digit', 'within 2 points', 'not', 'data not here'] as const).map(
    (verdict) => `${count(verdict)} ${verdict}`,
  )
  const head = `${BEFORE}\nOf ${verdicts.length} rows: ${summary.join(', ')}.\n`
  return [head, ...sources.map((source) => section(source, measured))].join('\n')
}

const measuredOf = (
  { key }: Source,
  { command, trial = '', measure }: PrintedRow,
  measured: MeasuredCommands,
) => measured[`${key}/${command}`]?.values[trial]?.[measure]

function section(source: Source, measured: MeasuredCommands): string {
  const { key, title, questions, about, commands } = source
  const rows = source.rows.map((row) => {
    const value = measuredOf(source, row, measured)
    const [mean, low, high] = value ?? []
    const interval = low == null || high == null ? '' : ` [${share(low)}, ${share(high)}]`
    return [
      row.name,
      row.measure,
      row.printed,
      mean === undefined ? '' : `${shownAs(row.printed, mean)}${interval}`,
      mean === undefined ? '' : points(mean - Number(row.printed)),
      verdictOf(row.printed, mean),
      [row.command, row.trial ?? []].flat().join(': '),
    ]
  })
  const lines = Object.entries(commands).flatMap(([command, words]) => [
    `# ${command}`,
    `npx touchstone ${words}${words.startsWith('score') ? ' -m MEASURE' : ''}`,
    ...(source.needs ? [`npx touchstone gate ${folderOf(words)} --expected ${expectedFile(command)}`] : []),
  ])
  const comparison = source.compare ? (measured[`${key}/${source.compare}`]?.comparison ?? []) : []
  return [
    `## ${title}`,
    `Source: ${source.source.trim()}.`,
    `Questions: ${questions.trim()}.`,
    about.trim(),
    table(['published', 'measure', 'printed', 'ours', 'difference, points', 'verdict', 'our row'], rows),
    ...(comparison.length > 0 ? [comparison.join('\n')] : []),
    `\`npm run published -- ${key}\`, or:`,
    `\`\`\`sh\n${lines.join('\n')}\n\`\`\`\n`,
  ].join('\n\n')
}

/** Points with a sign; no sign if they round to 0. */
const points = (difference: number) => (Math.abs(difference) < 0.0005 ? '0.0' : signed(difference))

const share = (value: number) => value.toFixed(3).replace(/^0/, '')

/** Expected scores of a command of a source that needs a network. */
export const expectedFile = (command: string) => `configs/published/expected/${command}.json`

/** Folder of a run's experiment: `-o`, or the config's name. */
export function folderOf(words: string): string {
  const [, folder] = / -o (\S+)/.exec(words) ?? []
  if (folder) return folder
  const [, config] = /^run (\S+)/.exec(words) ?? []
  return `experiments/${parse(readFileSync(join(import.meta.dirname, '..', config), 'utf8')).name}`
}

/** A sentence on the difference of a row to the baseline. */
export function comparedSentence(
  name: string,
  baseline: string,
  { difference, low, high, p, adjusted, verdict }: Compared,
): string {
  const interval = low === null || high === null ? '' : ` [${signed(low)}, ${signed(high)}]`
  const shown = (value: number | null) =>
    value !== null && value < 0.01 ? '< .01' : (value ?? 1).toFixed(2).replace(/^0/, '')
  return `- ${name} − ${baseline}: ${signed(difference)} points${interval}, p ${shown(p)}, corrected ${shown(adjusted)}: ${verdict}.`
}

interface Compared {
  readonly difference: number
  readonly low: number | null
  readonly high: number | null
  readonly p: number | null
  readonly adjusted: number | null
  readonly verdict: string
}
