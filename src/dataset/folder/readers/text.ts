import { extname } from 'node:path'
import { withAtxHeadings } from '../../../text/headings.ts'
import { decodeText, type FileDocument, type FileReader } from '../reader.ts'

export const text: FileReader = {
  name: 'text',
  version: 3,
  isText: true,
  read: (bytes) => [{ title: '', text: withAtxHeadings(decodeText(bytes)), metadata: {} }],
}

/** Source code: a fenced block of its language, so that its comments are no headings. */
export const code: FileReader = {
  name: 'code',
  version: 1,
  isText: true,
  read(bytes, file): FileDocument[] {
    const language = LANGUAGES[extname(file).slice(1).toLowerCase()] ?? 'text'
    const source = decodeText(bytes).trimEnd()
    if (source.trim() === '') return []
    const longest = Math.max(2, ...[...source.matchAll(/`{3,}/g)].map(([mark]) => mark.length))
    const fence = '`'.repeat(longest + 1)
    return [{ title: file, text: `${fence}${language}\n${source}\n${fence}\n`, metadata: { language } }]
  },
}

export const LANGUAGES: Readonly<Record<string, string>> = Object.fromEntries(
  `py:python js:javascript mjs:javascript cjs:javascript jsx:javascript ts:typescript mts:typescript
  tsx:typescript java:java kt:kotlin scala:scala c:c h:c cc:cpp cpp:cpp hpp:cpp cs:csharp go:go rs:rust
  rb:ruby php:php swift:swift lua:lua pl:perl r:r jl:julia dart:dart ex:elixir sh:bash bash:bash
  ps1:powershell sql:sql css:css scss:scss vue:vue yaml:yaml yml:yaml toml:toml ini:ini proto:protobuf
  tf:hcl hs:haskell`
    .split(/\s+/)
    .map((pair) => pair.split(':')),
)
