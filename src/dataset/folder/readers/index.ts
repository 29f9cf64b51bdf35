import { bytesOf, type FileDocument, type FileReader, readWith, Unreadable } from '../reader.ts'
import { LANGUAGES } from './text.ts'

interface Kind {
  readonly extensions: readonly string[]
  /** True if its parser may take long, crash or need much memory, so that it runs in a thread. */
  readonly heavy?: true
  /** True for tables and code, which alone may be data of another format. */
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

export function kindOfFile(file: string): Kind | undefined {
  const extension = /\.([^./]+)$/.exec(file)?.[1].toLowerCase()
  return extension === undefined ? undefined : KINDS.find(({ extensions }) => extensions.includes(extension))
}

export type FileResult =
  | { readonly documents: readonly FileDocument[] }
  | {
      readonly unreadable: string
      /** True if its parser was ended or died: another machine might read the file. */
      readonly dropped?: true
    }

/** Reads one file. An error of its parser is the file's, so that it costs no other file. */
export async function readFile(path: string, file: string): Promise<FileResult> {
  try {
    const reader = await kindOfFile(file)?.load()
    if (!reader) return { unreadable: 'unknown kind' }
    return { documents: await readWith(reader, bytesOf(path), file) }
  } catch (error) {
    if (error instanceof Unreadable) return { unreadable: error.message }
    const name = error instanceof Error ? error.name : 'error'
    return { unreadable: `file that its parser cannot read (${name})` }
  }
}
