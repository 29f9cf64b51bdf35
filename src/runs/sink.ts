import { type Diagnostic, UserError } from '../errors.ts'
import type { ColumnChoice, ColumnOptions } from '../tables/roles.ts'
import { idError, kindOf } from '../text/ids.ts'
import { atof, atol, commaHint, readGrade, readScore } from '../text/numbers.ts'
import type { QrelsFile, QrelsSink, ReadOptions, ReadResult, Run, RunSink, SkippedCounts } from './types.ts'

/** Maximum number of errors of one file that are listed in full. */
const SHOWN = 20

interface Desk {
  diagnostic(message: string, line?: number): void
  notice(what: string): void
  /** True if there was any error. */
  broken(): boolean
  /** Throws where there were errors. */
  close(): SkippedCounts
}

/** `unit`: the unit of places, a line unless given. */
function openDesk(file: string, unit?: 'row'): Desk {
  const diagnostics: Diagnostic[] = []
  const notices: Record<string, number> = {}
  let more = 0
  return {
    diagnostic(message, line) {
      const place = unit && line !== undefined ? { file: `${file}, ${unit} ${line}` } : { file, line }
      if (diagnostics.length < SHOWN) diagnostics.push({ ...place, message })
      else more++
    },
    notice(what) {
      notices[what] = (notices[what] ?? 0) + 1
    },
    broken: () => diagnostics.length > 0,
    close() {
      if (more > 0) diagnostics.push({ file, message: `and ${more} more` })
      if (diagnostics.length > 0) throw new UserError(diagnostics)
      return notices
    },
  }
}

/** True if an id of an entry is invalid: a diagnostic, or a notice where reading is lenient. */
function wrongIds(query: unknown, id: unknown, lenient: boolean, desk: Desk, line?: number): boolean {
  for (const [what, one] of [
    ['query', query],
    ['document', id],
  ]) {
    const wrong = idError(one)
    if (wrong === undefined) continue
    // No tool reads an id behind a NUL.
    if (!lenient || typeof one !== 'string' || one === '' || one.includes('\0')) {
      desk.diagnostic(`the ${what}'s id ${wrong}`, line)
      return true
    }
    desk.notice('ids with control characters')
  }
  return false
}

function sayColumns(option: string): ColumnOptions['say'] {
  return (choice: ColumnChoice) =>
    `${option} ${Object.entries(choice)
      .map(([role, column]) => `${role}=${column}`)
      .join(',')}`
}

function readOf(columns: string, first: string): { readonly read?: string } {
  return columns === '' ? {} : { read: `${columns}; first record: ${first}` }
}

/** True for what a text file can hold, which C's functions then read. */
function isWritten(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number'
}

function shown(value: unknown): string {
  return isWritten(value) ? `\`${value}\`` : kindOf(value)
}

/** Takes the entries of a run: every score a finite number, every id once a query, at least one entry. */
export function openRunSink(
  file: string,
  name: string,
  options: ReadOptions,
  unit?: 'row',
): RunSink & { close(): ReadResult<Run> } {
  const { lenient = false, keepsRepeats = false, knows, columns, known = { document: knows } } = options
  const desk = openDesk(file, unit)
  const queries = new Map<string, { ids: string[]; scores: number[]; ranks: number[]; known: Set<string> }>()
  let tag = name
  let entries = 0
  let read = ''
  let first = ''

  function scoreOf(given: unknown, line?: number): number | undefined {
    const strict = readScore(given)
    if (strict !== undefined) return strict
    const loose = lenient && isWritten(given) ? atof(String(given)) : Number.NaN
    if (Number.isNaN(loose)) {
      const why = lenient && isWritten(given) ? ': NaN has no order, so trec_eval ranks it arbitrarily' : ''
      desk.diagnostic(
        `the score ${shown(given)} is not a finite number in decimal digits${why}${commaHint(given)}`,
        line,
      )
      return undefined
    }
    desk.notice('scores that are not finite decimal numbers, read as C does')
    return loose
  }

  return {
    lenient,
    columns: { columns, known, say: options.say ?? sayColumns('--run-columns') },
    read(taken) {
      read = taken
    },
    entry(queryValue, idValue, given, line, rank) {
      entries++
      if (wrongIds(queryValue, idValue, lenient, desk, line)) return
      const [query, id] = [String(queryValue), String(idValue)]
      const score = scoreOf(given, line)
      if (score === undefined) return
      if (knows && !knows(id)) {
        if (lenient) desk.notice('ids that the corpus does not hold')
        else desk.diagnostic(`the corpus holds no \`${id}\``, line)
        return
      }
      const ranking = queries.get(query) ?? { ids: [], scores: [], ranks: [], known: new Set() }
      if (!keepsRepeats && ranking.known.has(id)) {
        desk.diagnostic(`the query \`${query}\` has \`${id}\` twice; an id may occur once in a ranking`, line)
        return
      }
      first ||= `query \`${query}\`, document \`${id}\`, score ${score}`
      ranking.known.add(id)
      ranking.ids.push(id)
      ranking.scores.push(score)
      if (rank !== undefined) ranking.ranks.push(rank)
      queries.set(query, ranking)
    },
    name(given) {
      tag = given
    },
    diagnostic: desk.diagnostic,
    notice: desk.notice,
    close() {
      if (entries === 0 && !desk.broken()) desk.diagnostic('holds no ranking: the file is empty')
      for (const { scores, ranks } of queries.values()) {
        const wrong = againstRanks(scores, ranks)
        if (wrong !== undefined) desk.notice(wrong)
      }
      const notices = desk.close()
      const rankings = [...queries].map(
        ([query, { ids, scores }]) => [query, { ids, scores: Float64Array.from(scores) }] as const,
      )
      return { value: { name: tag, queries: new Map(rankings) }, notices, ...readOf(read, first) }
    },
  }
}

/** Notice for a ranking whose written ranks say something else than its scores, which alone are read. */
function againstRanks(scores: readonly number[], ranks: readonly number[]): string | undefined {
  if (scores.length < 2 || ranks.length < scores.length) return undefined
  const order = [...ranks.keys()].sort((a, b) => ranks[a] - ranks[b])
  const steps = order.slice(1).map((row, index) => ({ row, before: order[index] }))
  if (steps.some(({ row, before }) => ranks[row] > ranks[before] && scores[row] > scores[before]))
    return 'queries whose ranks contradict their scores, of which the highest is the best here, as in trec_eval'
  const areRanks = new Set(ranks).size < ranks.length || countFromOne(ranks.map((rank) => rank + 1))
  if (countFromOne(scores) && !countFromOne(ranks) && !areRanks)
    return 'queries whose scores count 1, 2, 3 and whose ranks do not (are rank and score swapped?)'
  const isFlat = steps.every(({ row, before }) => scores[row] === scores[before])
  return isFlat && steps.every(({ row, before }) => ranks[row] > ranks[before])
    ? 'queries whose scores are all equal, ordered by id and not by rank, as in trec_eval'
    : undefined
}

/** True if the values are 1, 2, 3 and so on, in any order. */
function countFromOne(values: readonly number[]): boolean {
  return [...values].sort((a, b) => a - b).every((value, index) => value === index + 1)
}

/** Takes qrels: every grade a whole number, every id once a query, at least one judgement. */
export function openQrelsSink(
  file: string,
  { lenient = false, columns, known }: ReadOptions,
  unit?: 'row',
): QrelsSink & { close(): ReadResult<QrelsFile> } {
  const desk = openDesk(file, unit)
  const qrels = new Map<string, Map<string, number>>()
  const groups = new Map<string, Map<string, string>>()
  let qrelList = 0
  let read = ''
  let first = ''

  function gradeOf(given: unknown, line?: number): number | undefined {
    const strict = readGrade(given)
    if (strict !== undefined) return strict
    const loose = lenient && isWritten(given) ? atol(String(given)) : undefined
    if (loose === undefined)
      desk.diagnostic(`the grade ${shown(given)} is not a whole number of 32 bits`, line)
    else desk.notice('grades that are not whole numbers, read as C does')
    return loose
  }

  return {
    lenient,
    columns: { columns, known, say: sayColumns('--qrels-columns') },
    read(taken) {
      read = taken
    },
    qrel(queryValue, idValue, given, line, group) {
      qrelList++
      if (wrongIds(queryValue, idValue, lenient, desk, line)) return
      const [query, id] = [String(queryValue), String(idValue)]
      const grade = gradeOf(given, line)
      if (grade === undefined) return
      const grades = qrels.get(query) ?? new Map<string, number>()
      first ||= `query \`${query}\`, document \`${id}\`, grade ${grade}`
      if (grades.has(id)) return desk.diagnostic(`the query \`${query}\` judges \`${id}\` twice`, line)
      qrels.set(query, grades.set(id, grade))
      if (group) groups.set(query, (groups.get(query) ?? new Map()).set(id, group))
    },
    diagnostic: desk.diagnostic,
    notice: desk.notice,
    close() {
      if (qrelList === 0 && !desk.broken()) desk.diagnostic('holds no qrels: the file is empty')
      return { notices: desk.close(), value: { qrels, groups }, ...readOf(read, first) }
    },
  }
}
