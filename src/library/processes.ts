import type { Processes } from '../run/lock.ts'
import { isAlive, ownStart } from '../store/processes.ts'
import { HOST } from '../store/write.ts'

export const processes: Processes = {
  pid: process.pid,
  started: ownStart(),
  host: HOST,
  now: () => Date.now(),
  onExit(listener) {
    process.on('exit', listener)
    return () => void process.off('exit', listener)
  },
  isAlive,
}
