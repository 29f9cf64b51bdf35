import { parseCsv, parseTsv } from '../../../text/csv.ts'
import { isMap, parseJson } from '../../../text/json.ts'
import type { Json } from '../../../types.ts'
import { decodeText, type FileReader, Unreadable } from '../reader.ts'
import { documentsFrom, hasText, rowsAsDocuments } from '../row-documents.ts'

/** A table as text, its rows as documents. Those of a damaged table would be too few. */
const table = (name: 'csv' | 'tsv', parse: typeof parseCsv): FileReader => ({
  name,
  version: 6,
  isText: true,
  read(bytes, file) {
    const rows = parse(decodeText(bytes))
    const wrong = rows.find(({ diagnostic }) => diagnostic !== undefined)
    if (wrong) throw new Unreadable(`damaged CSV (line ${wrong.line}: ${wrong.diagnostic})`)
    return rowsAsDocuments(
      rows.map(({ fields }) => fields),
      file,
    )
  },
})

export const csv = table('csv', parseCsv)
export const tsv = table('tsv', parseTsv)

export const jsonl: FileReader = {
  name: 'jsonl',
  version: 3,
  isText: true,
  read(bytes, file) {
    const records = decodeText(bytes)
      .split('\n')
      .flatMap((line, index): Record<string, Json>[] => {
        if (line.trim() === '') return []
        const { value, diagnostic } = parseJson(line)
        if (isMap(value)) return [value as Record<string, Json>]
        throw new Unreadable(
          `damaged JSON Lines (line ${index + 1} ${diagnostic?.message ?? 'is no object'})`,
        )
      })
    return documentsFrom(records, file)
  },
}

export const json: FileReader = {
  name: 'json',
  version: 1,
  isText: true,
  read(bytes, file) {
    const { value, diagnostic } = parseJson(decodeText(bytes))
    if (diagnostic) throw new Unreadable(`damaged JSON (${diagnostic.message})`)
    if (!Array.isArray(value) || value.length === 0 || !value.every(hasText))
      throw new Unreadable('JSON that is no list of records with a text')
    return documentsFrom(value as Record<string, Json>[], file)
  },
}
