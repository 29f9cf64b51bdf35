import { type Diagnostic, UserError } from '../errors.ts'
import { sha256 } from '../store/hash.ts'
import { type Act, type Action, labellerName } from './action.ts'
import { readArgilla } from './exchange/argilla.ts'
import { readLabelsCsv } from './exchange/csv.ts'
import { readLabelStudio } from './exchange/label-studio.ts'
import { type ForeignLabel, passagesOf } from './exchange/rows.ts'
import { readTrec } from './exchange/trec.ts'
import { actionOf } from './files.ts'
import type { Pool } from './pool.ts'

/** Formats of labels by name. */
export const IMPORTS = {
  trec: readTrec,
  csv: readLabelsCsv,
  'label-studio': readLabelStudio,
  argilla: readArgilla,
} as const satisfies Record<string, (text: string, file: string) => ForeignLabel[]>
export type ImportFormat = keyof typeof IMPORTS
export const IMPORT_FORMATS = Object.keys(IMPORTS) as ImportFormat[]

/** Format of a file by its beginning. */
export function importFormat(text: string): ImportFormat {
  if (/^\s*\[/.test(text)) return /"annotations"\s*:/.test(text) ? 'label-studio' : 'argilla'
  return (text.split(/\r?\n/, 1)[0] ?? '').includes(',') ? 'csv' : 'trec'
}

export interface Imported {
  /** Acts by labeller. The same file gives the same acts, so importing it twice changes nothing. */
  readonly acts: ReadonlyMap<string, readonly Action[]>
  readonly labels: number
  /** Labels of passages that the pool does not hold. */
  readonly unknown: number
}

/** Reads labels of another tool as acts. `as` names the labeller where the file does not. */
export function importLabels(
  pool: Pool,
  text: string,
  { file, format, as, at }: { file: string; format: ImportFormat; as: string | undefined; at: string },
): Imported {
  const found = parse(text, file, format)
  const passages = passagesOf(pool)
  const diagnostics: Diagnostic[] = []
  const acts = new Map<string, Action[]>()
  let [labels, unknown] = [0, 0]
  for (const label of found) {
    const wrong = (message: string) =>
      diagnostics.push({
        file,
        ...(label.line ? { line: label.line } : {}),
        message: `${label.line ? '' : `${label.place}: `}${message}`,
      })
    const labeller = as ?? label.labeller
    const name = labellerName.safeParse(labeller)
    if (labeller === '') wrong('names no labeller; give one with --as')
    else if (name.error) wrong(`the labeller "${labeller}" ${name.error.issues[0].message}`)
    else if (!Number.isInteger(label.grade) || label.grade < 0 || label.grade > 3)
      wrong(`the grade must be 0, 1, 2 or 3, not ${label.grade}`)
    else {
      const own = passages(label)
      if (own.length === 0) unknown++
      else labels++
      for (const passage of own) {
        const add = (act: Act) => {
          const id = sha256(JSON.stringify([labeller, act])).slice(0, 16)
          const list = acts.get(labeller) ?? []
          if (list.every((one) => one.id !== id)) list.push(actionOf(act, id, at))
          acts.set(labeller, list)
        }
        add({ do: 'grade', query: label.query, passage, grade: label.grade })
        if (label.comment) add({ do: 'comment', query: label.query, passage, text: label.comment })
      }
    }
  }
  if (diagnostics.length === 0 && labels === 0)
    diagnostics.push({ file, message: `holds no label of a passage of the pool (${found.length} of others)` })
  if (diagnostics.length > 0) throw new UserError(diagnostics)
  return { acts, labels, unknown }
}

function parse(text: string, file: string, format: ImportFormat): ForeignLabel[] {
  try {
    return IMPORTS[format](text, file)
  } catch (error) {
    if (error instanceof SyntaxError) throw new UserError({ file, message: `is no JSON: ${error.message}` })
    throw error
  }
}
