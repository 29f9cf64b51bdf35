import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Mutant } from './plant.ts'

/** Test files by the code that they execute. */
export interface Executed {
  /** Undefined if the change is at a module's top level. */
  testsOf(file: string, mutant: Mutant): ReadonlySet<string> | undefined
}

// A place in a hot loop is called a million times by one test: only a lookup is left for it.
const PROBE = `
import { appendFileSync } from 'node:fs'
const inherited = process.env.MUTANT_TEST
const last = new Map()
const seen = new Set()
export function probe(key) {
  const test = globalThis.mutantTest ?? inherited
  if (last.get(key) === test || !test) return
  last.set(key, test)
  const line = key + '\\t' + test + '\\n'
  if (seen.has(line) || !process.env.MUTANT_HITS) return
  seen.add(line)
  appendFileSync(process.env.MUTANT_HITS, line)
}
`
/** Runs before each test file: child processes inherit its name. */
const SETUP = `
import { relative } from 'node:path'
import { expect } from 'vitest'
globalThis.mutantTest = process.env.MUTANT_TEST = relative(process.cwd(), expect.getState().testPath)
`

/**
 * Runs the unit tests once in a copy of the tree, with a call before every place where a bug will be planted. The files are as
 * before afterwards.
 */
export async function executedTests(
  copy: string,
  planted: readonly (Mutant & { readonly file: string })[],
  write: (file: string, source: string) => void,
): Promise<Executed> {
  const hits = join(copy, '.mutant-hits')
  writeFileSync(hits, '')
  const probe = join(copy, 'mutant-probe.mjs')
  writeFileSync(probe, PROBE)
  writeFileSync(join(copy, 'mutant-setup.ts'), SETUP)
  const files = new Map<string, string>()
  for (const { file } of planted) files.set(file, readFileSync(join(copy, file), 'utf8'))
  for (const [file, source] of files)
    write(
      file,
      withProbes(
        probe,
        file,
        source,
        planted.filter((one) => one.file === file),
      ),
    )
  const child = spawn(
    process.execPath,
    [
      'node_modules/vitest/vitest.mjs',
      'run',
      '--config',
      'scripts/mutants/vitest.probe.config.ts',
      '--root',
      '.',
    ],
    {
      cwd: copy,
      env: { ...process.env, MUTANT_HITS: hits, TOUCHSTONE_SHARED: '/nowhere' },
      stdio: ['ignore', 'ignore', 'ignore'],
    },
  )
  await new Promise((resolve) => child.on('close', resolve))
  for (const [file, source] of files) write(file, source)
  if (readFileSync(hits, 'utf8') === '') throw new Error('no unit test executed any of the places')
  const tests = new Map<string, Set<string>>()
  for (const line of readFileSync(hits, 'utf8').split('\n')) {
    const [key, test] = line.split('\t')
    if (test) tests.set(key, (tests.get(key) ?? new Set()).add(test))
  }
  return {
    testsOf: (file, mutant) => (mutant.around ? (tests.get(keyOf(file, mutant)) ?? new Set()) : undefined),
  }
}

const keyOf = (file: string, { around }: Mutant): string => `${file}:${around?.start}`

/** The source with a call before the code around each change. */
export function withProbes(probe: string, file: string, source: string, mutants: readonly Mutant[]): string {
  const inserted = new Map<string, readonly [at: number, text: string]>()
  for (const mutant of mutants) {
    if (!mutant.around) continue
    const { start, end, isStatement } = mutant.around
    const call = `__probe(${JSON.stringify(keyOf(file, mutant))})`
    inserted.set(`${start}`, [start, isStatement ? `${call};` : `(${call}, `])
    if (!isStatement) inserted.set(`${start} end`, [end, ')'])
  }
  let text = source
  for (const [at, words] of [...inserted.values()].sort((a, b) => b[0] - a[0]))
    text = text.slice(0, at) + words + text.slice(at)
  return `import { probe as __probe } from ${JSON.stringify(probe)}; ${text}`
}
