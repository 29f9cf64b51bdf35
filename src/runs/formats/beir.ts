import { UserError } from '../../errors.ts'
import { eachLine } from '../lines.ts'
import { byId } from '../order.ts'
import { defineRunFormat } from '../types.ts'
import { writeText } from '../write.ts'

const HEADER = /^(query[-_]?id|qid|query)$/i

/** BEIR's judgements: `query-id`, `corpus-id`, `score` between tabs, a header or none, and our fourth column `group`. */
export const beir = defineRunFormat({
  name: 'beir',
  summary: "BEIR's judgements: query-id, corpus-id, score (group), separated by tabs",
  extension: '.tsv',
  detect({ bytes }) {
    const [first] = bytes.toString('utf8', 0, 4096).split('\n')
    const fields = first.split('\t')
    return HEADER.test(fields[0]) || (fields.length === 3 && /^-?\d+\s*$/.test(fields[2]))
  },
  readQrels(source, into) {
    eachLine(source, into, (text, line) => {
      if (text.trim() === '') return
      const fields = text.split('\t').map((field) => field.trim())
      if (line === 1 && HEADER.test(fields[0])) return
      if (fields.length !== 3 && fields.length !== 4)
        into.mistake(
          `has ${fields.length} columns separated by tabs; judgements have 3 or 4: query, document, grade, group`,
          line,
        )
      else into.judgement(fields[0], fields[1], fields[2], line, fields[3] || undefined)
    })
  },
  writeQrels(path, { qrels, groups }) {
    const grouped = groups.size > 0
    const rows = byId(qrels).flatMap(([query, judged]) =>
      byId(judged).map(([id, grade]) =>
        [query, id, grade, ...(grouped ? [groups.get(query)?.get(id) ?? ''] : [])]
          .map((field) => cell(String(field), path))
          .join('\t'),
      ),
    )
    const header = ['query-id', 'corpus-id', 'score', ...(grouped ? ['group'] : [])].join('\t')
    writeText(path, `${[header, ...rows].join('\n')}\n`)
  },
})

/** A field between tabs; trimmed when read, so it must not begin or end with white space either. */
function cell(field: string, path: string): string {
  if (!/[\t\r\n]/.test(field) && field === field.trim()) return field
  throw new UserError({
    file: path,
    message: `BEIR's columns are separated by tabs and cannot hold the id ${JSON.stringify(field)}; write csv`,
  })
}
