import type { Draft, Drafter } from '../draft.ts'
import { lowerCase, nameKey, plain, sectionsWithParagraphs } from '../passages.ts'

const RULE = /^\s*(?:\|\s*)?:?-{2,}:?\s*(?:\|\s*:?-{2,}:?\s*)*(?:\|\s*)?$/

/** Most questions of one table. */
const MOST = 3
/** Longest title or heading in characters that says where a row is. */
const LONGEST_PLACE = 60
/** Code that names one thing wherever it stands, such as `--registry`, `maxRetries`, `cells()`, `HTTP_PORT`. */
const CODE = /`|^-|\p{L}[._]\p{L}|\(\)|\p{Ll}\p{Lu}/u
/** One to three words of letters, the first with a capital; no `Reading only`. */
const NAME = /^(?!\p{L}+ing )\p{Lu}[\p{L}'’-]+(?: [\p{L}'’-]+){0,2}$/u
const isKey = (cell: string) =>
  NAME.test(cell) || (CODE.test(cell) && /\p{L}{2}/u.test(cell) && !/\s\S+\s|:\/\/|@/.test(cell))
/** Name in the singular that says what the column's cells are. */
const isColumn = (name: string) =>
  /^\p{L}[\p{L}\p{N} -]+$/u.test(name) &&
  !/^(?:(?:requires|has|is|can|needs|supports|uses|extends|how|what|why|when|where)\b|(?:note|comment|remark|detail|description|answer|result|discussion|reason|\p{L}+ed|.*(?:link|example| for| by| in|[^aisu]s))$)/iu.test(
    name,
  )
/** A cell that answers: a few words, and no sign of an empty one. */
const isAnswer = (cell: string) =>
  /[\p{L}\p{N}]/u.test(cell) && cell.length <= 60 && !/^(?:null|none|n\/a)$/i.test(cell)

/** Questions for a cell of a Markdown table by its row and column. */
export const tables: Drafter = (documents) =>
  documents.flatMap((document) =>
    sectionsWithParagraphs(document).flatMap(({ path, paragraphs }) =>
      paragraphs.flatMap(({ start, end }) => {
        const lines = document.text.slice(start, end).split('\n')
        const rule = lines.findIndex((line) => RULE.test(line))
        if (rule < 1 || !lines[rule].includes('|')) return []
        const head = cellsOf(lines[rule - 1].replaceAll('`', '.')).map(plain)
        let at = start + lines.slice(0, rule + 1).join('\n').length + 1
        const rows = lines.slice(rule + 1).map(cellsOf)
        const varies = (column: number) =>
          rows.length === 1 || new Set(rows.map((cells) => cells[column])).size > 1
        const drafts = lines.slice(rule + 1).flatMap((line, row): Draft[] => {
          const begin = at
          at += line.length + 1
          const [raw, ...cells] = rows[row]
          if (!isKey(raw) || rows.filter(([other]) => other === raw).length > 1) return []
          const key = plain(raw)
          // Another column for every row.
          const fitting = cells.flatMap((cell, at) =>
            isAnswer(plain(cell)) &&
            isColumn(head[at + 1] ?? '') &&
            head[at + 1] !== plain(document.title) &&
            varies(at + 1)
              ? [at]
              : [],
          )
          if (fitting.length === 0) return []
          const column = fitting[row % fitting.length]
          const [name, answer] = [head[column + 1], plain(cells[column])]
          const places = [plain(document.title), path.at(-1) ?? '']
          const names = [...new Map(places.map((place) => [nameKey(place), place]))]
            .filter(([place, name]) => place !== '' && place !== nameKey(key) && name.length <= LONGEST_PLACE)
            .map(([, place]) => place)
          const about = names.length > 0 ? ` (${names.join(': ')})` : ''
          const lead = line.length - line.trimStart().length
          return [
            {
              kind: 'table',
              text: `What is the ${lowerCase(name)} of ${key}${about}?`,
              gold: [{ documentId: document.id, start: begin + lead, end: begin + line.trimEnd().length }],
              answer,
              from: [document.id],
            },
          ]
        })
        const step = Math.ceil(drafts.length / MOST)
        return drafts.filter((_, at) => at % step === 0)
      }),
    ),
  )

function cellsOf(line: string): string[] {
  const bare = line
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '')
  return bare.split(/(?<!\\)\|/).map((cell) => cell.replaceAll('\\|', '|').trim())
}
