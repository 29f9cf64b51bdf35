import { type Document, isScalar, parseDocument } from 'yaml'
import { headingsOf, withAtxHeadings } from '../../../text/headings.ts'
import { parseJson } from '../../../text/json.ts'
import { plainHeading } from '../../../text/plain-heading.ts'
import { codesAsText, isTooDeep } from '../../../text/yaml.ts'
import type { Json } from '../../../types.ts'
import { decodeText, type FileReader, remarksOf } from '../reader.ts'

/** Markdown and MDX. Front matter in YAML is metadata and title, never text; imports and exports of MDX are left out. */
export const markdown: FileReader = {
  name: 'markdown',
  version: 7,
  isText: true,
  read(bytes, file) {
    const whole = decodeText(bytes)
    const { title, fields, body, remark } = frontMatter(whole)
    const text = withAtxHeadings(/\.mdx$/i.test(file) ? withoutModules(body) : body)
    const heading = title || plainHeading(headingsOf(text)[0]?.name ?? '')
    return [{ title: heading, text, metadata: fields, ...remarksOf(remark) }]
  },
}

const FRONT = /^---[ \t]*\r?\n([\s\S]*?)\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/

const TOML = /^\+\+\+[ \t]*\r?\n[\s\S]*?\r?\n\+\+\+[ \t]*(?:\r?\n|$)/
/** Letters of the longest front matter: the package takes quadratic time. */
const LONGEST = 50_000
const KEPT = 'with front matter that is no valid YAML, which stays in the text'

/** Title, fields and the text below. A title that is a number stays as it is written: `3.10` is not `3.1`. */
function frontMatter(text: string) {
  const none = { title: '', fields: {}, remark: undefined }
  const match = FRONT.exec(text)
  if (!match) return { ...none, body: text, ...(TOML.test(text) && { remark: KEPT }) }
  const isStrange = match[1].length > LONGEST || isTooDeep(match[1])
  const document = parseDocument(isStrange ? '' : match[1], {
    schema: 'core',
    logLevel: 'silent',
    prettyErrors: false,
  })
  const value = isStrange || document.errors.length > 0 ? undefined : jsonOf(document)
  if (value === undefined) return { ...none, body: text, ...(/^[\w-]+:/.test(match[1]) && { remark: KEPT }) }
  if (value === null) return { ...none, body: text.slice(match[0].length) }
  if (typeof value !== 'object' || Array.isArray(value)) return { ...none, body: text }
  const fields = value as Record<string, Json>
  const node = document.get('title', true)
  const written = isScalar(node) ? node.source : undefined
  const title = typeof fields.title === 'number' ? (written ?? String(fields.title)) : (fields.title ?? '')
  return {
    title: typeof title === 'string' ? title.trim() : '',
    fields,
    body: text.slice(match[0].length),
    remark: undefined,
  }
}

/** Value of a document in JSON; undefined for an alias inside its own anchor, or too deep nesting. */
function jsonOf(document: Document): unknown {
  codesAsText(document)
  try {
    const value: unknown = document.toJS({ maxAliasCount: 100 })
    // Dates and numbers beyond JSON become text.
    const json = JSON.stringify(value, (_, item) => (typeof item === 'bigint' ? String(item) : item))
    return parseJson(json).value
  } catch {
    return undefined
  }
}

/** MDX without the lines of its imports and exports before the first blank line after each. */
function withoutModules(text: string): string {
  return text.replace(/^(?:import|export)\s[^\n]*(?:\n(?!\n)[^\n]+)*\n?/gm, (statement) =>
    /^(?:import\s.*['"]|export\s+(?:default|const|let|var|function|\{|\*))/.test(statement) ? '' : statement,
  )
}
