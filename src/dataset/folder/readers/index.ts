import type { FileReader } from '../reader.ts'
import { LANGUAGES } from './text.ts'

/** A reader by its extensions, loaded when the first such file is met. */
interface Kind {
  readonly extensions: readonly string[]
  /** True if its parser may take long, crash or need much memory, so that it runs in a thread of its own. */
  readonly heavy?: true
  /** True for tables and code, which alone make no folder of documents: they may be data of another format. */
  readonly data?: true
  load(): Promise<FileReader>
}

/** Every kind of file that a folder may hold as documents. A new kind is a file in this folder and a line here. */
export const KINDS: readonly Kind[] = [
  { extensions: ['md', 'markdown', 'mdx'], load: async () => (await import('./markdown.ts')).markdown },
  {
    extensions: ['txt', 'text', 'rst', 'adoc', 'asciidoc', 'org', 'tex', 'log'],
    load: async () => (await import('./text.ts')).text,
  },
  { extensions: ['html', 'htm', 'xhtml'], heavy: true, load: async () => (await import('./html.ts')).html },
  { extensions: ['pdf'], heavy: true, load: async () => (await import('./pdf.ts')).pdf },
  { extensions: ['docx'], heavy: true, load: async () => (await import('./docx.ts')).docx },
  { extensions: ['pptx'], heavy: true, load: async () => (await import('./pptx.ts')).pptx },
  { extensions: ['xlsx'], heavy: true, load: async () => (await import('./xlsx.ts')).xlsx },
  { extensions: ['csv'], data: true, load: async () => (await import('./table.ts')).csv },
  { extensions: ['tsv'], data: true, load: async () => (await import('./table.ts')).tsv },
  { extensions: ['json'], data: true, load: async () => (await import('./table.ts')).json },
  { extensions: ['jsonl', 'ndjson'], data: true, load: async () => (await import('./table.ts')).jsonl },
  { extensions: Object.keys(LANGUAGES), data: true, load: async () => (await import('./text.ts')).code },
]

/** Kind of a file by its name; undefined for other files. */
export function kindOfFile(file: string): Kind | undefined {
  const extension = /\.([^./]+)$/.exec(file)?.[1].toLowerCase()
  return extension === undefined ? undefined : KINDS.find(({ extensions }) => extensions.includes(extension))
}
