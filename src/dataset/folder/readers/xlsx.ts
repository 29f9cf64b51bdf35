import readExcel from 'read-excel-file/node'
import { unzipped, zipped } from '../office.ts'
import { defineReader, type FileDocument, Unreadable } from '../reader.ts'
import { rowsAsDocuments } from './table.ts'

/** Spreadsheets (.xlsx): each row of each sheet is a document; the first row of a sheet names its columns. */
export const xlsx = defineReader({
  name: 'xlsx',
  version: 1,
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
