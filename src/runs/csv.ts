/** CSV as RFC 4180 has it: fields with a comma, a quote or a line break stand in quotes, quotes are doubled. */

export interface CsvRow {
  readonly fields: readonly string[]
  /** From 1: where the row begins. */
  readonly line: number
}

/** Rows of a CSV text; blank lines are passed over. A quote that is never closed gives `null` as the last row. */
export function parseCsv(text: string): (CsvRow | null)[] {
  const rows: (CsvRow | null)[] = []
  let fields: string[] = []
  let line = 1
  let begun = 1
  let at = 0
  const endRow = () => {
    if (fields.length > 1 || fields[0] !== '') rows.push({ fields, line: begun })
    fields = []
    begun = line
  }
  while (at <= text.length) {
    let field = ''
    if (text[at] === '"') {
      at++
      for (;;) {
        const quote = text.indexOf('"', at)
        if (quote < 0) return [...rows, null]
        field += text.slice(at, quote)
        at = quote + 1
        if (text[at] !== '"') break
        field += '"'
        at++
      }
      line += field.split('\n').length - 1
    }
    const rest = /[^,\n]*/y
    rest.lastIndex = at
    const plain = rest.exec(text)?.[0] ?? ''
    at += plain.length
    fields.push(field + (text[at] === ',' ? plain : plain.replace(/\r$/, '')))
    if (text[at] === ',') at++
    else {
      at++
      line++
      endRow()
    }
  }
  return rows
}

/** A row with its line end. */
export function csvRow(fields: readonly (string | number)[]): string {
  return `${fields.map((field) => quoted(String(field))).join(',')}\n`
}

function quoted(field: string): string {
  return /[",\r\n]|^\s|\s$|^$/.test(field) ? `"${field.replaceAll('"', '""')}"` : field
}
