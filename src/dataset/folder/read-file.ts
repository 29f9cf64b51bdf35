import { readWith } from './decode.ts'
import { bytesOf, type FileDocument, Unreadable } from './reader.ts'
import { kindOfFile } from './readers/index.ts'

/** Documents of a file, or the reason why it has none. */
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
