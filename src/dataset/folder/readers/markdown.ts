import { parseDocument } from 'yaml'
import { headingsOf } from '../../../text/headings.ts'
import { plainHeading } from '../../../text/plain-heading.ts'
import { leadingZerosAsText } from '../../../text/yaml.ts'
import type { Json } from '../../../types.ts'
import { decodeText } from '../decode.ts'
import { defineReader } from '../reader.ts'

/** Markdown and MDX. Front matter in YAML is metadata and title, never text; imports and exports of MDX are left out. */
export const markdown = defineReader({
  name: 'markdown',
  version: 3,
  read(bytes, file) {
    const whole = decodeText(bytes)
    const { fields, body } = frontMatter(whole)
    const text = /\.mdx$/i.test(file) ? withoutModules(body) : body
    const title = ['string', 'number'].includes(typeof fields.title) ? String(fields.title).trim() : ''
    return [{ title: title || plainHeading(headingsOf(text)[0]?.name ?? ''), text, metadata: fields }]
  },
})

const FRONT = /^---[ \t]*\r?\n([\s\S]*?)\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/

/** Fields between `---` lines at the beginning, and the rest. Text that is no YAML map stays text. */
function frontMatter(text: string): { fields: Record<string, Json>; body: string } {
  const found = FRONT.exec(text)
  if (!found) return { fields: {}, body: text }
  const document = parseDocument(found[1], { schema: 'core', logLevel: 'silent' })
  if (document.errors.length > 0) return { fields: {}, body: text }
  leadingZerosAsText(document)
  const value: unknown = document.toJS({ maxAliasCount: 100 })
  if (value === null) return { fields: {}, body: text.slice(found[0].length) }
  if (typeof value !== 'object' || Array.isArray(value)) return { fields: {}, body: text }
  // Dates and numbers beyond JSON become text.
  const fields = JSON.parse(
    JSON.stringify(value, (_, item) => (typeof item === 'bigint' ? String(item) : item)),
  )
  return { fields, body: text.slice(found[0].length) }
}

/** MDX without the lines of its imports and exports before the first blank line after each. */
function withoutModules(text: string): string {
  return text.replace(/^(?:import|export)\s[^\n]*(?:\n(?!\n)[^\n]+)*\n?/gm, (statement) =>
    /^(?:import\s.*['"]|export\s+(?:default|const|let|var|function|\{|\*))/.test(statement) ? '' : statement,
  )
}
