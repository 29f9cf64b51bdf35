/**
 * CSV as in RFC 4180. Spreadsheets of countries with decimal commas write semicolons between fields; a first line `sep=;` names the
 * separator.
 */

interface CsvRow {
  readonly fields: readonly string[]
  /** From 1: where the row begins. */
  readonly line: number
  /** Error in its quotes; an open quote ends the text. */
  readonly diagnostic?: string
}

function separatorOf(text: string): string {
  let isQuoted = false
  let separator = ','
  for (const char of text.trimStart()) {
    if (char === '"') isQuoted = !isQuoted
    else if (isQuoted) continue
    else if (char === '\n') break
    else if (char === ',') return ','
    else if (char === ';') separator = ';'
  }
  return separator
}

export function parseCsv(text: string): CsvRow[] {
  const [named = '', sign] = /^sep=([,;|\t])\r?\n/i.exec(text) ?? []
  const separator = sign ?? separatorOf(text)
  const rows: CsvRow[] = []
  let fields: string[] = []
  let line = named === '' ? 1 : 2
  let begun = line
  let diagnostic: string | undefined
  let at = named.length
  const rest = new RegExp(`[^${separator}\\n]*`, 'y')
  const endRow = () => {
    if (fields.length > 1 || fields[0] !== '') rows.push({ fields, line: begun, diagnostic })
    fields = []
    diagnostic = undefined
    begun = line
  }
  while (at <= text.length) {
    let field = ''
    const quoted = text[at] === '"'
    if (quoted) {
      at++
      for (;;) {
        const quote = text.indexOf('"', at)
        if (quote < 0)
          return [...rows, { fields, line: begun, diagnostic: 'a quote is opened and never closed' }]
        field += text.slice(at, quote)
        at = quote + 1
        if (text[at] !== '"') break
        field += '"'
        at++
      }
      line += field.split('\n').length - 1
    }
    rest.lastIndex = at
    const plain = rest.exec(text)?.[0] ?? ''
    at += plain.length
    if (plain.includes('"') || (quoted && plain.trim() !== ''))
      diagnostic = /^\s+"/.test(quoted ? '' : plain)
        ? 'a blank stands before a quote; remove the blanks behind the separators'
        : 'a field holds a quote; put the field in quotes and double the quote inside it'
    fields.push(field + (text[at] === separator ? plain : plain.replace(/\r$/, '')))
    if (text[at] === separator) at++
    else {
      at++
      line++
      endRow()
    }
  }
  return rows
}

/** Rows between tabs, without blank lines. A field in quotes whose inner quotes are doubled is read as pandas writes it. */
export function parseTsv(text: string): CsvRow[] {
  const rows = text
    .split(/\r?\n/)
    .map((line, index) => ({ fields: line.split('\t').map(unquoted), line: index + 1 }))
  return rows.filter(({ fields }) => fields.some((field) => field.trim() !== ''))
}

/** Sentence on fields between tabs whose quotes stay, since both readings are possible; '' if there is none. */
export function keptQuotes(rows: readonly CsvRow[]): string {
  const count = rows
    .flatMap(({ fields }) => fields)
    .filter((field) => /^".*"$/s.test(field) && field.length > 1).length
  const words =
    count === 1
      ? '1 field begins and ends with a quote, which is'
      : `${count} fields begin and end with quotes, which are`
  return count === 0 ? '' : `${words} kept as text; if a spreadsheet wrote them, save the file as CSV`
}

function unquoted(field: string): string {
  const inside = field.length > 1 && field.startsWith('"') && field.endsWith('"') ? field.slice(1, -1) : ''
  const isDoubled = inside.includes('""') && !inside.replaceAll('""', '').includes('"')
  return isDoubled ? inside.replaceAll('""', '"') : field
}

export type CsvValue = string | number | boolean | null | undefined

export function csvRow(values: readonly CsvValue[]): string {
  return values.map(field).join(',')
}

/** A table for spreadsheets. A text that one would run as a formula gets a leading apostrophe. */
export function csvTable(header: readonly string[], rows: readonly (readonly CsvValue[])[]): string {
  const inert = (value: CsvValue) =>
    typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return [header, ...rows].map((row) => `${csvRow(row.map(inert))}\r\n`).join('')
}

function field(value: CsvValue): string {
  if (value === null || value === undefined || (typeof value === 'number' && !Number.isFinite(value)))
    return ''
  const text = String(value)
  return /[",\r\n]|^\s|\s$|^$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
