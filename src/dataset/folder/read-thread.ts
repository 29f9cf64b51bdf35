import { parentPort } from 'node:worker_threads'
import { readWith } from './decode.ts'
import { bytesOf, type FileDocument, Unreadable } from './reader.ts'
import { kindOfFile } from './readers/index.ts'

/** Thread that reads files one at a time, and may be ended at any moment. */

export interface Job {
  /** Absolute path. */
  readonly path: string
  readonly file: string
}

export type Answer = { readonly documents: readonly FileDocument[] } | { readonly unreadable: string }

// Libraries warn on the console of a file's faults, which are counted instead.
for (const name of ['log', 'warn', 'error', 'info', 'debug'] as const) console[name] = () => {}

parentPort?.on('message', async ({ path, file }: Job) => {
  parentPort?.postMessage(await answer(path, file))
})

async function answer(path: string, file: string): Promise<Answer> {
  try {
    const reader = await kindOfFile(file)?.load()
    if (!reader) return { unreadable: 'unknown kind' }
    return { documents: await readWith(reader, bytesOf(path), file) }
  } catch (error) {
    if (error instanceof Unreadable) return { unreadable: error.message }
    return {
      unreadable: `file that its parser cannot read (${error instanceof Error ? error.name : 'error'})`,
    }
  }
}
