import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'

const docs = resolve(import.meta.dirname, '..', 'docs')

/** Text of one `##` section of a page of docs/. Throws if the page has no such heading. */
export function docsSection(page: string, heading: string): string {
  const text = readFileSync(resolve(docs, page), 'utf8')
  const found = text.split(/^## /m).find((section) => section.startsWith(`${heading}\n`))
  if (found === undefined) throw new Error(`docs/${page} has no section "${heading}"`)
  return found
}
