import { rmSync } from 'node:fs'
import { finished } from 'node:stream/promises'
import { Worker } from 'node:worker_threads'
import { builtUrl } from '../threads.ts'
import { BUG, DONE, hearSignals, INTERRUPTED, processTerminal, USER_ERROR } from './io.ts'

/** View of the terminal in another thread. Widths are shared memory, since a terminal may be resized. */
export interface ThreadTerminal {
  readonly argv: readonly string[]
  readonly isTerminal: { readonly out: boolean; readonly err: boolean }
  /** Columns of stdout and of stderr. */
  readonly columns: Int32Array
  /** True if a person can be asked. */
  readonly typing: boolean
}

/** A message from the thread of the command. */
export type FromCommand =
  | { readonly kind: 'write'; readonly to: 'out' | 'err'; readonly text: string }
  /** The command has begun; it ends at a signal if `interrupted` is undefined. */
  | { readonly kind: 'begun'; readonly interrupted: string | undefined }
  | { readonly kind: 'over' }
  | { readonly kind: 'type' }
  /** A file to remove if the process ends, or no longer. */
  | { readonly kind: 'remove' | 'keep'; readonly path: string }

export type ToCommand =
  | { readonly kind: 'stop'; readonly code: number }
  | { readonly kind: 'typed'; readonly line: string }

/**
 * Runs a command line in a thread of its own. The main thread only writes and waits for signals, so that it answers
 * them at once.
 */
export async function supervise(argv: readonly string[]): Promise<number> {
  const terminal = processTerminal()
  if (isHelp(argv)) {
    const { main } = await import('./main.ts')
    return main(argv, terminal)
  }
  const screens = { out: terminal.out, err: terminal.err }
  const columns = new Int32Array(new SharedArrayBuffer(8))
  const measure = () => columns.set([screens.out.columns, screens.err.columns])
  measure()
  process.stdout.on('resize', measure)
  process.stderr.on('resize', measure)
  const workerData: ThreadTerminal = {
    argv,
    isTerminal: { out: screens.out.isTerminal, err: screens.err.isTerminal },
    columns,
    typing: terminal.input !== null,
  }
  const thread = new Worker(builtUrl('cli/command-thread.js'), { workerData })
  const tell = (message: ToCommand) => thread.postMessage(message)
  const temporary = new Set<string>()
  process.on('exit', () => {
    for (const path of temporary) rmSync(path, { force: true })
  })
  let stopped: number | undefined
  let forget = () => {}
  thread.on('message', (message: FromCommand) => {
    switch (message.kind) {
      case 'write':
        return screens[message.to].write(message.text)
      case 'begun':
        forget = hearSignals(terminal, message.interrupted, (code) => {
          stopped = code
          tell({ kind: 'stop', code })
        })
        return
      case 'over':
        return forget()
      case 'type':
        return void terminal.input?.line().then((line) => tell({ kind: 'typed', line }))
      case 'remove':
        return void temporary.add(message.path)
      case 'keep':
        return void temporary.delete(message.path)
    }
  })
  let failed: number | undefined
  thread.on('error', (error: NodeJS.ErrnoException) => {
    const memory = error.code === 'ERR_WORKER_OUT_OF_MEMORY'
    failed = memory ? USER_ERROR : BUG
    screens.err.write(
      memory
        ? 'the command ran out of memory; try NODE_OPTIONS=--max-old-space-size=MEGABYTES. Finished work is kept: the same command resumes\n'
        : `${error.stack ?? error}\n`,
    )
  })
  const code = await new Promise<number>((ended) => thread.on('exit', ended))
  await Promise.all([thread.stdout, thread.stderr].map((stream) => finished(stream).catch(() => {})))
  if (failed !== undefined) return failed
  // A stopped command has said "resume with the same command". It sees the request before it learns the signal.
  return stopped !== undefined && [DONE, BUG, INTERRUPTED].includes(code) ? stopped : code
}

/** Help and version compute nothing: a thread would double their time. */
function isHelp([name = '--help', ...rest]: readonly string[]): boolean {
  const words = ['help', '--help', '-h', '--version', '-V']
  return words.includes(name) || (rest.length === 1 && rest[0] === '--help')
}
