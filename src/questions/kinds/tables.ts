import type { Draft, Drafter } from '../draft.ts'
import { nameKey, plain, sectionsWithParagraphs } from '../passages.ts'

const RULE = /^\s*(?:\|\s*)?:?-{2,}:?\s*(?:\|\s*:?-{2,}:?\s*)*(?:\|\s*)?$/

/** Questions for a cell of a Markdown table by its row and column. */
export const tables: Drafter = (documents) =>
  documents.flatMap((document) =>
    sectionsWithParagraphs(document).flatMap(({ path, paragraphs }) =>
      paragraphs.flatMap(({ start, end }) => {
        const lines = document.text.slice(start, end).split('\n')
        const rule = lines.findIndex((line) => RULE.test(line))
        if (rule < 1 || !lines[rule].includes('|')) return []
        const head = cellsOf(lines[rule - 1])
        let at = start + lines.slice(0, rule + 1).join('\n').length + 1
        return lines.slice(rule + 1).flatMap((line, row): Draft[] => {
          const begin = at
          at += line.length + 1
          const [key, ...cells] = cellsOf(line)
          // Another column for every row; none of a row with its key alone.
          const column = row % cells.length
          const [name, answer] = [head[column + 1] ?? '', cells[column]]
          if (nameKey(key) === '' || nameKey(name) === '' || nameKey(answer) === '') return []
          const section = path.at(-1)
          const about = section && nameKey(section) !== nameKey(key) ? ` (${section})` : ''
          const lead = line.length - line.trimStart().length
          return [
            {
              kind: 'table',
              text: `What is the ${name} of ${key}${about}?`,
              gold: [{ documentId: document.id, start: begin + lead, end: begin + line.trimEnd().length }],
              answer,
              from: [document.id],
            },
          ]
        })
      }),
    ),
  )

function cellsOf(line: string): string[] {
  const bare = line
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '')
  return bare.split(/(?<!\\)\|/).map(plain)
}
