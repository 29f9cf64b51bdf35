import type { Cell } from './types.d.ts'

/** Saves a text as a file, without a request. */
export function save(name: string, text: string, type = 'text/csv'): void {
  saveBlob(name, new Blob([text], { type: `${type};charset=utf-8` }))
}

export function saveJson(name: string, value: unknown): void {
  save(name, JSON.stringify(value, null, 2), 'application/json')
}

export function saveBlob(name: string, blob: Blob): void {
  const url = URL.createObjectURL(blob)
  Object.assign(document.createElement('a'), { href: url, download: name }).click()
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

/** Copies a text, also outside a secure context. Resolves to false if the browser refuses. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    const area = document.createElement('textarea')
    area.value = text
    document.body.append(area)
    area.select()
    const done = document.execCommand('copy')
    area.remove()
    return done
  }
}

export function fileName(...parts: readonly string[]): string {
  const safe = parts.join('-').replace(/[^\w.-]+/g, '-')
  return safe.replace(/^[-.]+|(?<!-)-+$/g, '').slice(0, 80) || 'report'
}

/** Rows as CSV (RFC 4180). A text that a spreadsheet would run as a formula gets a leading apostrophe. */
export function csvText(header: readonly string[], rows: Iterable<readonly Cell[]>): string {
  const lines = [header, ...rows].map((row) => row.map(csvCell).join(','))
  return `${lines.join('\r\n')}\r\n`
}

function csvCell(value: Cell): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : ''
  const text = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text
}
