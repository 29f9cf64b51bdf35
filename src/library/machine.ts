import { readFileSync, rmSync } from 'node:fs'
import { cpus } from 'node:os'
import type { Processes } from '../experiment/lock.ts'
import { isAlive, startOfThis } from '../store/processes.ts'
import { HOST } from '../store/write.ts'
import { supervisor } from '../threads.ts'

/** Never part of a result's hash. */
export function describeMachine(): Record<string, string> {
  const [cpu] = cpus()
  return {
    node: process.version,
    // Decides word boundaries of the tokenizer `segmenter`.
    icu: process.versions.icu ?? 'none',
    platform: `${process.platform} ${process.arch}`,
    cpu: `${cpu?.model ?? 'unknown'} x ${cpus().length}`,
    int8: processorFeatures(readProcessors()),
  }
}

/** Processor features that change the last digits of an int8 model. */
const INT8 = ['avx2', 'avx_vnni', 'avx512_vnni', 'asimddp', 'i8mm']

/** Features of `INT8` in Linux's /proc/cpuinfo; 'unknown' on other systems. */
export function processorFeatures(cpuinfo: string | undefined): string {
  const flags = /^(?:flags|Features)\s*:(.*)$/m.exec(cpuinfo ?? '')?.[1].split(/\s+/)
  if (!flags) return 'unknown'
  return INT8.filter((name) => flags.includes(name)).join(' ') || 'none'
}

function readProcessors(): string | undefined {
  try {
    return readFileSync('/proc/cpuinfo', 'utf8')
  } catch {
    return undefined
  }
}

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
