import readExcel from 'read-excel-file/node'
import { UserError } from '../../../errors.ts'
import { readBytes } from '../../../store/input.ts'
import { unreadOffice, unzipped, zipped } from '../office.ts'
import { type FileDocument, type FileReader, remarksOf, Unreadable } from '../reader.ts'
import { rowsAsDocuments } from '../row-documents.ts'

/** Spreadsheets (.xlsx): each row of each sheet is a document; the first row of a sheet names its columns. */
export const xlsx: FileReader = {
  name: 'xlsx',
  version: 8,
  async read(bytes, file) {
    const { sheets, errors, merged, hides, files } = await readWorkbook(bytes)
    const documents = sheets.flatMap(({ name, rows }): FileDocument[] =>
      rows.length < 2
        ? []
        : rowsAsDocuments(rows, `${file}, ${name}`).map((document) => ({
            ...document,
            part: sheets.length > 1 ? `${name}/${document.part}` : document.part,
            metadata: { ...document.metadata, sheet: name },
          })),
    )
    if (documents.length === 0)
      throw new Unreadable(
        errors.length > 0
          ? 'spreadsheet of formulas that were never calculated'
          : 'spreadsheet without rows below a header',
      )
    const [first, ...others] = documents
    const remarks = remarksOf(
      ...(first.remarks ?? []),
      errors.length > 0 && 'with cells whose formula failed or was never calculated, read as empty',
      merged.length > 0 && 'with cells merged over several rows, of which the first has the value',
      hides && 'with hidden sheets, rows or columns, read as the others',
      ...unreadOffice(files),
    )
    return [{ ...first, ...remarks }, ...others]
  },
}

const SHEET = /^xl\/worksheets\/[^/]+\.xml$/
const CELL = /<(?:\w+:)?c\b([^<>]*[^<>/])>([\s\S]*?)<\/(?:\w+:)?c>/g
const MERGED = /<(?:\w+:)?mergeCell\b[^<>]*\bref="([A-Z]+(\d+):[A-Z]+(\d+))"/g

export async function readWorkbook(bytes: Uint8Array) {
  const files = unzipped(bytes, 'spreadsheet')
  const textIn = (path: string) => Buffer.from(files[path] ?? []).toString('utf8')
  const texts = Object.keys(files)
    .filter((path) => SHEET.test(path))
    .map(textIn)
  const sheets = await readExcel(zipped(withShownNumbers(files))).catch(() => {
    throw new Unreadable('damaged spreadsheet')
  })
  return {
    files,
    sheets: sheets.map(({ sheet, data }) => ({
      name: sheet,
      rows: data.map((row) => row.map(cellText)).filter((row) => row.some((cell) => cell !== '')),
    })),
    /** Cells with an error, as `C2 (#N/A)`, or a formula that was never calculated. */
    errors: texts.flatMap(errorCells),
    merged: texts.flatMap((text) =>
      [...text.matchAll(MERGED)].flatMap(([, cells, first, last]) => (first === last ? [] : [cells])),
    ),
    hides:
      /<(?:\w+:)?sheet\b[^<>]*\bstate="(?:hidden|veryHidden)"/.test(textIn('xl/workbook.xml')) ||
      texts.some((text) => /<(?:\w+:)?(?:row|col)\b[^<>]*\bhidden="(?:1|true)"/.test(text)),
  }
}

function errorCells(sheet: string): string[] {
  return [...sheet.matchAll(CELL)].flatMap(([, attributes, content]) => {
    const value = /<(?:\w+:)?v>([^<]+)/.exec(content)?.[1]
    const isError = /\bt="e"/.test(attributes)
    const isOpen = value === undefined && /<(?:\w+:)?f\b/.test(content) && !/\bt="str"/.test(attributes)
    if (!isError && !isOpen) return []
    const reason = isError ? (value ?? 'error') : 'never calculated'
    return [`${/\br="(\w+)"/.exec(attributes)?.[1] ?? '?'} (${reason})`]
  })
}

type Shown = (number: string) => string

/** Excel counts 15 digits. */
const plain = (value: number) => String(Number(value.toPrecision(15)))
const percent: Shown = (number) => `${plain(100 * Number(number))}%`

/** A time of day or a duration from days, as 13:30; seconds if there are any. The hours of a total pass 24. */
function clock(number: string, isTotal: boolean): string {
  const seconds =
    Math.round(86_400 * Math.abs(Number(number))) % (isTotal ? Number.POSITIVE_INFINITY : 86_400)
  const parts = [seconds / 3600, (seconds / 60) % 60, seconds % 60].map((part) =>
    String(Math.trunc(part)).padStart(2, '0'),
  )
  return `${number.startsWith('-') ? '-' : ''}${parts.join(':').replace(/^(\d+:\d\d):00$/, '$1')}`
}

/** Numbers as a format shows them: 7 as 007, .5 as 50%, .5625 as 13:30. Undefined for formats that change no digit. */
function shownBy(code: string): Shown | undefined {
  const [, zeros] = /^(0{2,})(?:;|$)/.exec(code) ?? []
  if (zeros) return (number) => (/^\d+$/.test(number) ? number.padStart(zeros.length, '0') : number)
  // Without texts in it, colours and languages; `mm` alone is a month.
  const bare = code
    .replace(/&quot;.*?&quot;|[\\_*].|\[(?!h+\]|m+\]|s+\])[^[\]]*\]|AM\/PM|A\/P/gi, '')
    .split(';')[0]
  if (/[hs]|\[m/i.test(bare) && !/[dy]/i.test(bare)) return (number) => clock(number, /\[[hms]/i.test(bare))
  return /^[#0.,]+ ?%(?:;|$)/.test(code) ? percent : undefined
}

/** Formats that every program knows, as far as they show a number otherwise. */
const BUILT_IN = [
  ['9', '0%'],
  ['10', '0%'],
  ...['18', '19', '20', '21', '45', '47'].map((id) => [id, 'h:mm'] as const),
  ['46', '[h]:mm'],
] as const

function shownByStyle(styles: string): Map<string, Shown> {
  const formats = new Map<string, string>(BUILT_IN)
  for (const [format] of styles.matchAll(/<(?:\w+:)?numFmt\b[^<>]*>/g)) {
    const [, id] = /\bnumFmtId="(\d+)"/.exec(format) ?? []
    if (id) formats.set(id, /\bformatCode="([^"]*)"/.exec(format)?.[1] ?? '')
  }
  const [cells = ''] = /<(?:\w+:)?cellXfs\b[\s\S]*?<\/(?:\w+:)?cellXfs>/.exec(styles) ?? []
  return new Map(
    [...cells.matchAll(/<(?:\w+:)?xf\b[^<>]*>/g)].flatMap(([style], number) => {
      const shown = shownBy(formats.get(/\bnumFmtId="(\d+)"/.exec(style)?.[1] ?? '') ?? '')
      return shown ? [[String(number), shown] as const] : []
    }),
  )
}

function withShownNumbers(files: Readonly<Record<string, Uint8Array>>): Readonly<Record<string, Uint8Array>> {
  const styles = shownByStyle(Buffer.from(files['xl/styles.xml'] ?? []).toString('utf8'))
  if (styles.size === 0) return files
  const shown = (cell: string, attributes: string, content: string) => {
    const show = styles.get(/\bs="(\d+)"/.exec(attributes)?.[1] ?? '')
    const [, number] = /<(?:\w+:)?v>(-?[\d.]+(?:E[+-]?\d+)?)</i.exec(content) ?? []
    if (!show || number === undefined || /\bt="(?!n")/.test(attributes)) return cell
    const text = cell.replace(/(<(?:\w+:)?v>)[^<]+</, (_, tag: string) => `${tag}${show(number)}<`)
    return text.replace(/\bt="n"/, '').replace(/<((?:\w+:)?c)\b/, '<$1 t="str"')
  }
  return Object.fromEntries(
    Object.entries(files).map(([path, bytes]) =>
      SHEET.test(path)
        ? [path, Buffer.from(Buffer.from(bytes).toString('utf8').replace(CELL, shown))]
        : [path, bytes],
    ),
  )
}

function cellText(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number') return plain(value)
  return value instanceof Date ? value.toISOString().replace(/T00:00:00\.000Z$/, '') : String(value).trim()
}

/** Rows of a spreadsheet of one sheet as records. Throws a UserError for cells whose value or row cannot be known. */
export async function spreadsheetRecords(
  path: string,
): Promise<{ readonly fields: Readonly<Record<string, string>>; readonly line: number }[]> {
  const refuse = (message: string) => new UserError(message, path)
  const listed = (cells: readonly string[]) =>
    `${cells.slice(0, 5).join(', ')}${cells.length > 5 ? `, and ${cells.length - 5} more` : ''}`
  const bytes = readBytes(path)
  try {
    const { sheets: all, errors, merged } = await readWorkbook(bytes)
    if (errors.length > 0)
      throw refuse(
        `has cells whose formula failed or was never calculated: ${listed(errors)}; save the file in a spreadsheet program, or mend or empty them`,
      )
    if (merged.length > 0)
      throw refuse(
        `has cells merged over several rows: ${listed(merged)}; split them, and write the value in each row that it is for`,
      )
    const sheets = all.filter(({ rows }) => rows.length > 0)
    if (sheets.length > 1)
      throw refuse(
        `has ${sheets.length} sheets with rows (${sheets.map(({ name }) => name).join(', ')}); keep the questions in a file of one sheet`,
      )
    const [head = [], ...rows] = sheets[0]?.rows ?? []
    return rows.map((row, at) => ({
      fields: Object.fromEntries(head.map((name, column) => [name, row[column] ?? ''])),
      line: at + 2,
    }))
  } catch (error) {
    throw error instanceof Unreadable ? refuse(`is a ${error.message}`) : error
  }
}
