import { type Diagnostic, UserError } from '../errors.ts'
import { sha256 } from '../store/hash.ts'
import { type ForeignLabel, passagesOf, readLabelsCsv, readTrec } from './exchange.ts'
import { actionOf, type FiledLog, labellerAmong } from './folder.ts'
import { type Act, type Action, GRADES, pairOf, standingOf } from './log.ts'
import type { Pool } from './pool.ts'

const IMPORTS = { trec: readTrec, csv: readLabelsCsv }
type ImportFormat = keyof typeof IMPORTS

export function importFormat(text: string): ImportFormat {
  if (/^\s*[{[]/.test(text))
    throw new UserError(
      'a file of JSON is no file of labels: write CSV with the columns query, passage (or document) and grade',
    )
  return /[,;]/.test(text.split(/\r?\n/, 1)[0] ?? '') ? 'csv' : 'trec'
}

interface ImportOptions {
  readonly file: string
  readonly format: ImportFormat
  /** Name of the labeller where the file has none. */
  readonly as: string | undefined
  readonly at: string
  readonly logs: readonly FiledLog[]
}

type Given = Extract<Act, { do: 'grade' | 'comment' }>

/**
 * Reads labels of another tool as new acts by labeller: importing a file twice adds nothing. `unknown` counts labels of passages that the
 * pool does not hold. A file may hold one label of a passage by a labeller.
 */
export function importLabels(pool: Pool, text: string, { file, format, as, at, logs }: ImportOptions) {
  const notices: string[] = []
  const foreignLabels = IMPORTS[format](text, file, (columns) => notices.push(columns))
  const passages = passagesOf(pool)
  const diagnostics: Diagnostic[] = []
  const labellers = logs.map(({ header }) => header.labeller)
  const models = logs.filter(({ header }) => header.kind === 'model').map(({ header }) => header.labeller)
  const byLabeller = new Map<string, Map<string, Given>>()
  const contradicts = contradictions()
  let [labels, unknown] = [0, 0]
  for (const label of foreignLabels) {
    const wrong = (message: string) => diagnostics.push({ file, line: label.line, message })
    const labeller = as ?? label.labeller
    const { name, wrong: wrongName } = labellerAmong([...labellers, ...byLabeller.keys()], labeller)
    const { grade } = label
    if (labeller === '') wrong('names no labeller; give one with --as')
    else if (wrongName !== undefined) wrong(wrongName)
    else if (models.includes(name)) wrong(`labeller "${name}" is a model here; name a person with --as`)
    else if (grade < 0 || grade > 3) wrong(`the grade must be 0, 1, 2 or 3, not ${grade}`)
    else if (contradicts(name, label))
      wrong(
        `labels "${label.passage}" for query "${label.query}" again, with another grade; keep one of the two`,
      )
    else {
      const passageIds = passages(label)
      if (passageIds.length === 0) unknown++
      else labels++
      for (const passage of passageIds) {
        const acts = byLabeller.get(name) ?? new Map<string, Given>()
        byLabeller.set(name, acts)
        const key = pairOf(label.query, passage)
        const on = { query: label.query, passage }
        acts.set(`grade\n${key}`, { do: 'grade', ...on, grade })
        if (label.comment) acts.set(`comment\n${key}`, { do: 'comment', ...on, text: label.comment })
      }
    }
  }
  if (diagnostics.length === 0 && labels === 0)
    diagnostics.push({
      file,
      message: `holds no label of a passage of the pool (${foreignLabels.length} of others)`,
    })
  if (diagnostics.length > 0) throw new UserError(diagnostics)
  if (isBinary(foreignLabels))
    notices.push(
      `no grade is above 1, and 1 means "${GRADES[1].name}" here, which is not relevant: if 1 is relevant in this file, use \`--relevant 1\` with \`labels export\` and \`labels status\``,
    )
  const acts = [...byLabeller].map(([labeller, pairs]): [string, Action[]] => {
    const stands = standsIn(logs.find(({ header }) => header.labeller === labeller)?.actions ?? [])
    const fresh = [...pairs.values()].filter((act) => !stands(act))
    const idOf = (act: Given) => sha256(JSON.stringify([labeller, at, act])).slice(0, 16)
    return [labeller, fresh.map((act) => actionOf(act, idOf(act), at))]
  })
  return { acts: new Map(acts), labels, unknown, notices }
}

/** True for labels of a scale of two grades, as qrels often have. */
function isBinary(labels: readonly ForeignLabel[]): boolean {
  return labels.some(({ grade }) => grade === 1) && labels.every(({ grade }) => grade === 0 || grade === 1)
}

function contradictions(): (labeller: string, label: ForeignLabel) => boolean {
  const seen = new Map<string, ForeignLabel['grade']>()
  return (labeller, { query, passage, grade }) => {
    const key = JSON.stringify([labeller, query, passage])
    const first = seen.get(key) ?? grade
    seen.set(key, first)
    return first !== grade
  }
}

function standsIn(actions: readonly Action[]): (act: Given) => boolean {
  const { grades, comments } = standingOf(actions)
  return (act) => {
    const key = pairOf(act.query, act.passage ?? '')
    return act.do === 'grade' ? grades.get(key)?.grade === act.grade : comments.get(key)?.text === act.text
  }
}
