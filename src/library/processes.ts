import type { Processes } from '../experiment/lock.ts'
import { isAlive, startOfThis } from '../store/processes.ts'
import { HOST } from '../store/write.ts'

export const processes: Processes = {
  pid: process.pid,
  started: startOfThis(),
  host: HOST,
  now: () => Date.now(),
  onExit(listener) {
    process.on('exit', listener)
    return () => void process.off('exit', listener)
  },
  isAlive,
}
