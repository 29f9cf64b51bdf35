import { rmSync } from 'node:fs'
import type { Processes } from '../experiment/lock.ts'
import { isAlive, startOfThis } from '../store/processes.ts'
import { HOST } from '../store/write.ts'
import { supervisor } from '../threads.ts'

export const processes: Processes = {
  pid: process.pid,
  started: startOfThis(),
  host: HOST,
  now: () => Date.now(),
  removeAtExit(path) {
    const remove = () => rmSync(path, { force: true })
    process.on('exit', remove)
    supervisor()?.postMessage({ kind: 'remove', path })
    return () => {
      process.off('exit', remove)
      supervisor()?.postMessage({ kind: 'keep', path })
    }
  },
  isAlive,
}
