import readExcel from 'read-excel-file/node'
import { unzipped, zipped } from '../office.ts'
import { defineReader, type FileDocument, Unreadable } from '../reader.ts'
import { rowsAsDocuments } from './table.ts'

/** Spreadsheets (.xlsx): each row of each sheet is a document; the first row of a sheet names its columns. */
export const xlsx = defineReader({
  name: 'xlsx',
  version: 3,
  async read(bytes, file) {
    const sheets = await sheetsOf(bytes)
    const documents = sheets.flatMap(({ name, rows }): FileDocument[] =>
      rows.length < 2
        ? []
        : rowsAsDocuments(rows, `${file}, ${name}`).map((document) => ({
            ...document,
            part: sheets.length > 1 ? `${name}/${document.part}` : document.part,
            metadata: { ...document.metadata, sheet: name },
          })),
    )
    if (documents.length === 0) throw new Unreadable('spreadsheet without rows below a header')
    return documents
  },
})

/** Cells of a spreadsheet that hold an error, as `C2 (#N/A)`. The package that reads sheets takes them for empty. */
export function errorCells(bytes: Uint8Array): string[] {
  const sheets = Object.entries(unzipped(bytes, 'spreadsheet')).filter(([path]) =>
    /^xl\/worksheets\/[^/]+\.xml$/.test(path),
  )
  return sheets.flatMap(([, sheet]) =>
    [...Buffer.from(sheet).toString('utf8').matchAll(ERROR_CELL)].map(
      ([, attributes, content]) =>
        `${/\br="(\w+)"/.exec(attributes)?.[1] ?? '?'} (${/<(?:\w+:)?v>([^<]*)/.exec(content)?.[1] ?? 'error'})`,
    ),
  )
}

const ERROR_CELL = /<(?:\w+:)?c\b([^<>]*\bt="e"[^<>]*)>([\s\S]*?)<\/(?:\w+:)?c>/g

/** Sheets of a spreadsheet, with their cells as texts. */
export async function sheetsOf(bytes: Uint8Array): Promise<{ name: string; rows: string[][] }[]> {
  const files = unzipped(bytes, 'spreadsheet')
  try {
    const sheets = await readExcel(zipped(files))
    return sheets.map(({ sheet, data }) => ({
      name: sheet,
      rows: data.map((row) => row.map(cellText)).filter((row) => row.some((cell) => cell !== '')),
    }))
  } catch {
    throw new Unreadable('damaged spreadsheet')
  }
}

function cellText(value: unknown): string {
  if (value === null || value === undefined) return ''
  return value instanceof Date ? value.toISOString().replace(/T00:00:00\.000Z$/, '') : String(value).trim()
}
