import { execFileSync, spawn } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { transformSync } from 'esbuild'
import { createRandom } from '../../src/random.ts'
import { testsByFile } from './nearby.ts'
import { executedTests } from './probe.ts'
import { type Planted, plantedIn, shuffled } from './sources.ts'

/**
 * `npm run mutants`: plants plausible bugs one at a time in a copy of the tree and runs the tests that import the file,
 * nearest first, until one fails. A bug that no test notices is printed with its place.
 *
 *     -- --sample 60 --seed 1    60 bugs, spread over all folders of src; one run of all tests first finds those that execute each
 *     -- --changed main          the lines changed since main
 *     -- --only retrieve/        the files whose path below src begins so; with :38 at its end, one line
 *     --unexecuted               only lists the places that no unit test executes
 *     --skip 20                  leaves out the first 20, to go on where a run has ended
 *     --minutes 10               ends after that time and says how far it came
 *     --limit 3600               seconds for one bug; a bug of which tests are left then is undecided, and counts as unnoticed
 *     --least 90                 exits with 1 if fewer per cent are noticed
 *     --out FILE                 appends each result as JSON
 */
const { values } = parseArgs({
  options: {
    sample: { type: 'string' },
    unexecuted: { type: 'boolean', default: false },
    skip: { type: 'string', default: '0' },
    seed: { type: 'string', default: '1' },
    changed: { type: 'string' },
    only: { type: 'string', default: '' },
    minutes: { type: 'string', default: 'Infinity' },
    limit: { type: 'string', default: '3600' },
    least: { type: 'string', default: '0' },
    out: { type: 'string' },
  },
})

/** Seconds without a finished test after which a run hangs; longer on a slow or busy machine. */
let silence = 100

const [onlyPath, onlyLine] = values.only.split(':')
const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')
const chosen = chooseMutants().slice(Number(values.skip))
const copy = copyTree()
const testsOf = testsByFile(copy)
const ends = Date.now() + Number(values.minutes) * 60_000
let executed: Awaited<ReturnType<typeof executedTests>> | undefined
const verified = new Map<string, boolean>()
const counts = { noticed: 0, survived: 0, undecided: 0 }
console.log(`${chosen.length} bugs`)
try {
  const start = Date.now()
  await firstFailure(['tests/kernel.test.ts'], start + 600_000)
  silence = Math.max(silence, (20 * (Date.now() - start)) / 1000)
  if (values.sample || values.unexecuted) executed = await executedTests(copy, chosen, write)
  if (values.unexecuted) {
    for (const planted of chosen)
      if (executed?.testsOf(planted.file, planted)?.size === 0) console.log(`${planted.file}:${planted.line}`)
    chosen.length = 0
  }
  for (const planted of chosen) {
    if (Date.now() > ends) break
    if (!compiles(planted)) continue
    const started = Date.now()
    const { by, result, tests } = await noticedBy(planted)
    counts[result]++
    const { file, line, kind, before, after } = planted
    const seconds = Math.round((Date.now() - started) / 1000)
    console.log(
      `${result === 'noticed' ? 'noticed ' : result.toUpperCase()} ${file}:${line} ${kind}: ${short(before)} -> ${short(after)} (${seconds} s, ${by ?? `${tests} test files`})`,
    )
    if (values.out)
      appendFileSync(
        values.out,
        `${JSON.stringify({ file, line, kind, before, after, result, by, tests, seconds })}\n`,
      )
  }
} finally {
  rmSync(copy, { recursive: true, force: true })
}
const tried = counts.noticed + counts.survived + counts.undecided
const share = tried === 0 ? 100 : (100 * counts.noticed) / tried
if (Date.now() > ends) console.log(`time is up: ${tried} of ${chosen.length} bugs were tried`)
console.log(
  `${counts.noticed} noticed, ${counts.survived} survived, ${counts.undecided} undecided: ${share.toFixed(1)} %`,
)
process.exitCode = share < Number(values.least) ? 1 : 0

function chooseMutants(): Planted[] {
  const changed = values.changed === undefined ? undefined : changedLines(values.changed)
  const all = plantedIn(root, [onlyPath])
    .filter(({ line }) => onlyLine === undefined || line === Number(onlyLine))
    .filter(({ file, line }) => !changed || changed.get(file)?.has(line))
  const random = createRandom(Number(values.seed)).uniform
  const folders = new Map<string, Planted[]>()
  for (const one of shuffled(all, random)) {
    const folder = dirname(one.file)
    folders.set(folder, [...(folders.get(folder) ?? []), one])
  }
  const rounds = shuffled([...folders.values()], random)
  const size = Math.min(all.length, Number(values.sample ?? all.length))
  const picked: Planted[] = []
  for (let round = 0; picked.length < size; round++)
    picked.push(
      ...rounds.flatMap((mutants) => mutants.slice(round, round + 1)).slice(0, size - picked.length),
    )
  return picked
}

/** False for a change that is no program, as `a ?? b || c`. */
function compiles({ file, start, end, after }: Planted): boolean {
  const source = readFileSync(join(root, file), 'utf8')
  try {
    compile(source.slice(0, start) + after + source.slice(end))
    return true
  } catch {
    return false
  }
}

/** By file the lines that differ from those of a commit. */
function changedLines(base: string): Map<string, Set<number>> {
  const diff = execFileSync('git', ['diff', '--unified=0', base, '--', 'src'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  })
  const lines = new Map<string, Set<number>>()
  let file = ''
  for (const line of diff.split('\n')) {
    if (line.startsWith('+++ ')) file = line.slice('+++ b/'.length)
    const [, from, count = '1'] = /^@@ .* \+(\d+)(?:,(\d+))? @@/.exec(line) ?? []
    if (from === undefined) continue
    const set = lines.get(file) ?? new Set()
    for (let at = 0; at < Number(count); at++) set.add(Number(from) + at)
    lines.set(file, set)
  }
  return lines
}

/** The tree in a folder of its own, so that no bug is ever in the checkout. */
function copyTree(): string {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-mutants-'))
  process.on('SIGINT', () => process.exit(130)).on('SIGTERM', () => process.exit(143))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  const left = ['node_modules', '.git', '.touchstone', '.ci']
  cpSync(root, folder, { recursive: true, filter: (from) => !left.includes(relative(root, from)) })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  cpSync(
    join(root, 'scripts', 'mutants', 'vitest.mutants.config.ts'),
    join(folder, 'vitest.mutants.config.ts'),
  )
  takeApart(folder)
  return folder
}

/** Compiles the package's entries anew, so that a command loads single modules: a bug is planted in one of these. */
function takeApart(folder: string): void {
  for (const entry of readdirSync(join(folder, 'dist'), { recursive: true, encoding: 'utf8' })) {
    if (!entry.endsWith('.js') || entry.startsWith('bundle')) continue
    const path = join(folder, 'dist', entry)
    if (!/^export \* from "[./]+bundle\//.test(readFileSync(path, 'utf8'))) continue
    writeFileSync(path, compile(readFileSync(join(folder, 'src', entry.replace(/\.js$/, '.ts')), 'utf8')))
  }
  rmSync(join(folder, 'dist', 'bundle'), { recursive: true })
}

interface Outcome {
  readonly result: keyof typeof counts
  /** The test that fails with the bug and passes without it. */
  readonly by?: string
  /** Test files that ran with the bug. */
  readonly tests: number
}

async function noticedBy(planted: Planted): Promise<Outcome> {
  const source = readFileSync(join(copy, planted.file), 'utf8')
  const restore = () => write(planted.file, source)
  const hits = executed?.testsOf(planted.file, planted)
  const deadline = Date.now() + Number(values.limit) * 1000
  try {
    for (;;) {
      const near = testsOf(planted.file)
      const far = [...(hits ?? [])].filter((file) => !near.includes(file))
      const tests = [...near.filter((file) => !hits || hits.has(file)), ...far].filter(
        (file) => verified.get(file) !== false,
      )
      write(planted.file, source.slice(0, planted.start) + planted.after + source.slice(planted.end))
      const failed = tests.length > 0 ? await firstFailure(tests, deadline) : undefined
      const late = Date.now() >= deadline
      restore()
      if (!failed) return { result: late ? 'undecided' : 'survived', tests: tests.length }
      if (!verified.has(failed.file))
        verified.set(failed.file, (await firstFailure([failed.file], Date.now() + 600_000)) === undefined)
      if (verified.get(failed.file))
        return { result: 'noticed', by: `${failed.file}: ${failed.test}`, tests: tests.length }
    }
  } finally {
    restore()
  }
}

/** Writes a source of the copy, and its compiled form if it has one: the report's application is bundled. */
function write(file: string, source: string): void {
  writeFileSync(join(copy, file), source)
  const compiled = join(copy, file.replace(/^src/, 'dist').replace(/\.ts$/, '.js'))
  if (existsSync(compiled)) writeFileSync(compiled, compile(source))
}

function compile(source: string): string {
  const { code } = transformSync(source, { loader: 'ts', format: 'esm', target: 'es2023' })
  return code.replace(/((?:\bfrom|\bimport)[\s(]*["']\.[^"']*)\.ts(["'])/g, '$1.js$2')
}

/**
 * Runs test files in this order until a test fails. A run without a finished test for long hangs, which is a failure too.
 * Throws if no test ran before the deadline, as in a tree without its packages: that would look like a bug that nobody notices.
 */
function firstFailure(
  tests: readonly string[],
  deadline: number,
): Promise<{ file: string; test: string } | undefined> {
  const { CI: _, TOUCHSTONE_SHARED: __, ...env } = process.env
  const child = spawn(
    process.execPath,
    ['node_modules/vitest/vitest.mjs', 'run', '--config', 'vitest.mutants.config.ts', ...tests],
    {
      cwd: copy,
      env: { ...env, MUTANT_TESTS: JSON.stringify(tests), TOUCHSTONE_SHARED: '/nowhere' },
      stdio: ['ignore', 'pipe', 'ignore'],
      detached: true,
    },
  )
  return new Promise((resolve, reject) => {
    let current = tests[0]
    let ran = 0
    let silent: NodeJS.Timeout
    let ended = false
    const end = (result?: { file: string; test: string }) => {
      ended = true
      clearTimeout(silent)
      clearTimeout(late)
      try {
        process.kill(-(child.pid as number), 'SIGKILL')
      } catch {
        // It has ended.
      }
      resolve(result)
    }
    const late = setTimeout(end, deadline - Date.now())
    const wait = () => {
      clearTimeout(silent)
      silent = setTimeout(() => end({ file: current, test: 'hangs' }), silence * 1000)
    }
    wait()
    let rest = ''
    child.stdout.on('data', (data) => {
      wait()
      const lines = (rest + data).split('\n')
      rest = lines.pop() as string
      for (const line of lines) {
        const [word, file, test] = line.split('\t')
        if (word === 'file') current = file
        if (word === 'test') ran++
        if (word === 'failed') end({ file, test })
      }
    })
    child.on('close', () => {
      if (ran === 0 && Date.now() < deadline && !ended)
        reject(new Error(`no test ran of ${tests.join(', ')}`))
      end()
    })
  })
}

function short(text: string): string {
  const line = text.replace(/\s+/g, ' ')
  return line.length > 70 ? `${line.slice(0, 67)}...` : line
}
