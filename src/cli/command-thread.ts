import { parentPort, workerData } from 'node:worker_threads'
import { outsideNative } from '../stopping.ts'
import { becomeCommandThread } from '../threads.ts'
import { type Terminal, watchCustomCode } from './io.ts'
import { main } from './main.ts'
import type { Screen } from './progress.ts'
import type { FromCommand, ThreadTerminal, ToCommand } from './supervisor.ts'

becomeCommandThread()

const { argv, isTerminal, columns, typing } = workerData as ThreadTerminal
const port = parentPort as NonNullable<typeof parentPort>
const tell = (message: FromCommand) => port.postMessage(message)

let stop = (_code: number) => {}
let typed = (_line: string) => {}
port.on('message', (message: ToCommand) => {
  if (message.kind === 'stop') stop(message.code)
  else typed(message.line)
})
// A command that waits for nothing that can arrive ends.
port.unref()

const screen = (to: 'out' | 'err'): Screen => ({
  write: (text) => tell({ kind: 'write', to, text }),
  isTerminal: isTerminal[to],
  get columns() {
    return Atomics.load(columns, to === 'out' ? 0 : 1)
  },
})

const terminal: Terminal = {
  out: screen('out'),
  err: screen('err'),
  input: typing
    ? {
        line: () =>
          new Promise((resolve) => {
            port.ref()
            typed = (line) => {
              port.unref()
              resolve(line)
            }
            tell({ kind: 'type' })
          }),
      }
    : null,
  env: process.env,
  folder: process.cwd(),
  clock: () => performance.now(),
  memory: () => process.memoryUsage.rss(),
  onInterrupt: () => () => {},
  exit: (code) => process.exit(code),
}

watchCustomCode(terminal.err)

const code = await main(argv, terminal, (_, interrupted, whenStopped) => {
  stop = whenStopped
  tell({ kind: 'begun', interrupted })
  return () => tell({ kind: 'over' })
})
await outsideNative(() => process.exit(code))
