// @ts-check
/** @import {Cell} from './types.d.ts' */

/**
 * Rows as CSV (RFC 4180). A text that a spreadsheet would run as a formula gets a leading apostrophe.
 * @param {readonly string[]} header
 * @param {Iterable<readonly Cell[]>} rows
 */
export function csvText(header, rows) {
  const lines = [header, ...rows].map((row) => row.map(csvCell).join(','))
  return `${lines.join('\r\n')}\r\n`
}

/** @param {Cell} value */
function csvCell(value) {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : ''
  const text = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text
}
