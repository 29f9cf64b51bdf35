import { parentPort } from 'node:worker_threads'
import { readFile } from './readers/index.ts'

/** Thread that reads files one at a time, and may be ended at any moment. */

export interface Job {
  readonly path: string
  readonly file: string
}

// Libraries warn on the console of a file's faults, which are counted instead.
for (const name of ['log', 'warn', 'error', 'info', 'debug'] as const) console[name] = () => {}

parentPort?.on('message', async ({ path, file }: Job) => {
  parentPort?.postMessage(await readFile(path, file))
})
