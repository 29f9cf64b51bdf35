import { type Diagnostic, UserError } from '../errors.ts'
import type { KnownIds } from '../tables/roles.ts'
import { idError, kindOf } from '../text/ids.ts'
import { commaHint, readGrade, readScore } from '../text/numbers.ts'
import type { QrelsFile, ReadOptions, ReadResult, RowSink, Run } from './types.ts'

const SHOWN = 20

/** The parts that runs and qrels share. `unit`: the unit of places, a line unless given. */
function openDesk(file: string, knownIds: KnownIds | undefined, unit?: 'row') {
  const diagnostics: Diagnostic[] = []
  const notices: Record<string, number> = {}
  let [more, rows] = [0, 0]
  let [columns, first] = ['', '']
  const diagnostic = (message: string, line?: number) => {
    const place = unit && line !== undefined ? { file: `${file}, ${unit} ${line}` } : { file, line }
    if (diagnostics.length < SHOWN) diagnostics.push({ ...place, message })
    else more++
  }
  return {
    sink: {
      known: knownIds,
      read(chosen: string) {
        columns = chosen
      },
      diagnostic,
      notice(notice: string) {
        notices[notice] = (notices[notice] ?? 0) + 1
      },
    },
    idsOf(query: unknown, id: unknown, line?: number): readonly [string, string] | undefined {
      rows++
      const wrong = idError(query)
      const message = wrong === undefined ? idError(id) : wrong
      if (message === undefined) return [String(query), String(id)]
      diagnostic(`the ${wrong === undefined ? 'document' : 'query'}'s id ${message}`, line)
      return undefined
    },
    accept(query: string, id: string, unit: 'score' | 'grade', value: number) {
      first ||= `query \`${query}\`, document \`${id}\`, ${unit} ${value}`
    },
    /** Throws a UserError with all diagnostics; `kind` names what an empty file lacks. */
    close<T>(kind: string, value: T): ReadResult<T> {
      if (rows === 0 && diagnostics.length === 0) diagnostic(`holds no ${kind}: the file is empty`)
      if (more > 0) diagnostics.push({ file, message: `and ${more} more` })
      if (diagnostics.length > 0) throw new UserError(diagnostics)
      return { value, notices, ...(columns !== '' && { read: `${columns}; first record: ${first}` }) }
    },
  }
}

function shown(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? `\`${value}\`` : kindOf(value)
}

/** Takes a run: every score a finite number, every id once a query, at least one entry. */
export function openRunSink(
  file: string,
  name: string,
  options: ReadOptions,
  unit?: 'row',
): RowSink & { close(): ReadResult<Run> } {
  const { keepsRepeats = false, knows, known = { document: knows } } = options
  const { sink, idsOf, accept, close } = openDesk(file, known, unit)
  const { diagnostic } = sink
  const queries = new Map<string, { ids: string[]; scores: number[]; ranks: number[]; known: Set<string> }>()
  const rankingOf = (query: string) => {
    const ranking = queries.get(query) ?? { ids: [], scores: [], ranks: [], known: new Set() }
    if (ranking.ids.length === 0) queries.set(query, ranking)
    return ranking
  }
  let tag = name
  return {
    ...sink,
    take(queryValue, idValue, scoreValue, line, extra, rank) {
      if (extra) tag = extra
      const ids = idsOf(queryValue, idValue, line)
      if (!ids) return
      const [query, id] = ids
      const score = readScore(scoreValue)
      if (score === undefined)
        return diagnostic(
          `the score ${shown(scoreValue)} is not a finite number in decimal digits${commaHint(scoreValue)}`,
          line,
        )
      if (knows && !knows(id)) return diagnostic(`the corpus holds no \`${id}\``, line)
      const ranking = rankingOf(query)
      if (!keepsRepeats && ranking.known.has(id))
        return diagnostic(
          `the query \`${query}\` has \`${id}\` twice; an id may occur once in a ranking`,
          line,
        )
      accept(query, id, 'score', score)
      ranking.known.add(id)
      ranking.ids.push(id)
      ranking.scores.push(score)
      if (rank !== undefined) ranking.ranks.push(rank)
    },
    close() {
      for (const { scores, ranks } of queries.values()) {
        const wrong = againstRanks(scores, ranks)
        if (wrong !== undefined) sink.notice(wrong)
      }
      const rankings = [...queries].map(
        ([query, { ids, scores }]) => [query, { ids, scores: new Float64Array(scores) }] as const,
      )
      return close('ranking', { name: tag, queries: new Map(rankings) })
    },
  }
}

/** Notice for a ranking whose ranks contradict its scores, which alone are read. */
function againstRanks(scores: readonly number[], ranks: readonly number[]): string | undefined {
  if (scores.length < 2 || ranks.length < scores.length) return undefined
  const rows = ranks.map((_, row) => row)
  if (ranks.some((rank, row) => row > 0 && rank < ranks[row - 1])) rows.sort((a, b) => ranks[a] - ranks[b])
  let [isAgainst, isFlat, isStrict] = [false, true, true]
  for (let at = 1; at < rows.length; at++) {
    const [row, before] = [rows[at], rows[at - 1]]
    const isLater = ranks[row] > ranks[before]
    if (isLater && scores[row] > scores[before]) isAgainst = true
    if (scores[row] !== scores[before]) isFlat = false
    if (!isLater) isStrict = false
  }
  if (isAgainst)
    return 'queries whose ranks contradict their scores, of which the highest is the best here, as in trec_eval'
  const areRanks = () =>
    new Set(ranks).size < ranks.length || countFromOne(ranks) || countFromOne(ranks.map((rank) => rank + 1))
  if (countFromOne(scores) && !areRanks())
    return 'queries whose scores count 1, 2, 3 and whose ranks do not (are rank and score swapped?)'
  return isFlat && isStrict
    ? 'queries whose scores are all equal, ordered by id and not by rank, as in trec_eval'
    : undefined
}

function countFromOne(values: readonly number[]): boolean {
  if (!values.every(Number.isInteger)) return false
  return [...values].sort((a, b) => a - b).every((value, index) => value === index + 1)
}

/** Takes qrels: every grade a whole number, every id once a query, at least one judgement. */
export function openQrelsSink(
  file: string,
  { known }: ReadOptions,
  unit?: 'row',
): RowSink & { close(): ReadResult<QrelsFile> } {
  const { sink, idsOf, accept, close } = openDesk(file, known, unit)
  const { diagnostic } = sink
  const qrels = new Map<string, Map<string, number>>()
  const groups = new Map<string, Map<string, string>>()
  return {
    ...sink,
    take(queryValue, idValue, gradeValue, line, group) {
      const ids = idsOf(queryValue, idValue, line)
      if (!ids) return
      const [query, id] = ids
      const grade = readGrade(gradeValue)
      if (grade === undefined)
        return diagnostic(
          `the grade ${shown(gradeValue)} is not a whole number of 32 bits; 0 means not relevant`,
          line,
        )
      const grades = qrels.get(query) ?? new Map<string, number>()
      accept(query, id, 'grade', grade)
      if (grades.has(id)) return diagnostic(`the query \`${query}\` judges \`${id}\` twice`, line)
      qrels.set(query, grades.set(id, grade))
      if (group) groups.set(query, (groups.get(query) ?? new Map()).set(id, group))
    },
    close: () => close('qrels', { qrels, groups }),
  }
}
