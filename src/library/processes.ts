import type { Processes } from '../run/lock.ts'
import { HOST } from '../store/write.ts'

export const processes: Processes = {
  pid: process.pid,
  host: HOST,
  now: () => Date.now(),
  onExit(listener) {
    process.on('exit', listener)
    return () => void process.off('exit', listener)
  },
  isAlive(pid) {
    try {
      process.kill(pid, 0)
      return true
    } catch (error) {
      // It lives, but belongs to somebody else.
      return (error as NodeJS.ErrnoException).code === 'EPERM'
    }
  },
}
