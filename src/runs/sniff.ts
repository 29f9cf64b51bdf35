/** Format detection by a file's beginning. */

/** Parquet begins with its mark; a text that does so, as by an id, holds no zero byte. */
export function isParquet(bytes: Buffer): boolean {
  return bytes.toString('latin1', 0, 4) === 'PAR1' && bytes.includes(0)
}

/** JSON begins with `{` and a key or `}`, or with a list of such. */
export function isJson(bytes: Buffer): boolean {
  const text = bytes.toString('utf8', 0, 65_536).replace(/^\ufeff/, '')
  return /^\s*(?:\{\s*(?:"|\}|$)|\[\s*\{\s*")/.test(text)
}
