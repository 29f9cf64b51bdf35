import readExcel from 'read-excel-file/node'
import { unzipped, zipped } from '../office.ts'
import { defineReader, type FileDocument, Unreadable } from '../reader.ts'
import { rowsAsDocuments } from './table.ts'

/** Spreadsheets (.xlsx): each row of each sheet is a document; the first row of a sheet names its columns. */
export const xlsx = defineReader({
  name: 'xlsx',
  version: 4,
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
    const hasErrors = errorCells(bytes).length > 0
    if (documents.length === 0)
      throw new Unreadable(
        hasErrors
          ? 'spreadsheet of formulas that were never calculated'
          : 'spreadsheet without rows below a header',
      )
    const remarks = [
      ...(hasErrors ? ['with cells whose formula failed or was never calculated, read as empty'] : []),
      ...(hasMergedRows(bytes)
        ? ['with cells merged over several rows, of which the first has the value']
        : []),
    ]
    return documents.map((document, at) =>
      at > 0 || remarks.length === 0
        ? document
        : { ...document, remarks: [...(document.remarks ?? []), ...remarks] },
    )
  },
})

/**
 * Cells of a spreadsheet that hold an error, as `C2 (#N/A)`, or a formula that was never calculated, as other programs than
 * spreadsheets write it. The package that reads sheets takes both for empty.
 */
export function errorCells(bytes: Uint8Array): string[] {
  return sheetTexts(bytes).flatMap((sheet) =>
    [...sheet.matchAll(CELL)].flatMap(([, attributes, content]) => {
      const value = /<(?:\w+:)?v>([^<]+)/.exec(content)?.[1]
      const isError = /\bt="e"/.test(attributes)
      const isOpen = value === undefined && /<(?:\w+:)?f\b/.test(content) && !/\bt="str"/.test(attributes)
      if (!isError && !isOpen) return []
      const reason = isError ? (value ?? 'error') : 'never calculated'
      return [`${/\br="(\w+)"/.exec(attributes)?.[1] ?? '?'} (${reason})`]
    }),
  )
}

const CELL = /<(?:\w+:)?c\b([^<>]*[^<>/])>([\s\S]*?)<\/(?:\w+:)?c>/g

/** True if a sheet has cells that are merged over several rows. */
function hasMergedRows(bytes: Uint8Array): boolean {
  return sheetTexts(bytes).some((sheet) =>
    [...sheet.matchAll(/<(?:\w+:)?mergeCell\b[^<>]*\bref="[A-Z]+(\d+):[A-Z]+(\d+)"/g)].some(
      ([, first, last]) => first !== last,
    ),
  )
}

function sheetTexts(bytes: Uint8Array): string[] {
  return Object.entries(unzipped(bytes, 'spreadsheet'))
    .filter(([path]) => /^xl\/worksheets\/[^/]+\.xml$/.test(path))
    .map(([, sheet]) => Buffer.from(sheet).toString('utf8'))
}

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
