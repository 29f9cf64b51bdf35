import { readFileSync } from 'node:fs'
import { cpus } from 'node:os'

/** What the manifest says of the machine; never part of a result's hash. */
export function describeMachine(): Record<string, string> {
  const [cpu] = cpus()
  return {
    node: process.version,
    // The words of the tokenizer `segmenter` are those of this version.
    icu: process.versions.icu ?? 'none',
    platform: `${process.platform} ${process.arch}`,
    cpu: `${cpu?.model ?? 'unknown'} x ${cpus().length}`,
    int8: processorFeatures(readProcessors()),
  }
}

/** Instructions by which the same int8 model gives other last digits. */
const INT8 = ['avx2', 'avx_vnni', 'avx512_vnni', 'asimddp', 'i8mm']

/** Those of `INT8` that a processor has, by Linux's /proc/cpuinfo; other systems do not say. */
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
