import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { createRandom } from '../../src/random.ts'
import { testsByFile } from './nearby.ts'
import { plantedIn, shuffled } from './sources.ts'

/**
 * Plants every bug of some files and runs the tests that execute it in one process, some 20 bugs a second. Bugs that no test notices
 * are printed with tests that execute them. Tests that start processes or threads are not asked: `npm run mutants` does.
 *
 *     npx tsx scripts/mutants/scan.ts --only labels/,view/pages/live.ts
 *     --each 30       so many of each folder, chosen by --seed
 *     --tests 10      only the test files that reach fewest of the files
 *     --match cli/    only the test files whose path below tests begins so
 *     --page          only the tests of the page's scripts, which need modules of their own
 *     --limit 2500    most milliseconds of tests in one file for one bug; what is skipped is printed as PARTLY
 */
const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    each: { type: 'string', default: '1000000' },
    seed: { type: 'string', default: '1' },
    tests: { type: 'string', default: '1000000' },
    match: { type: 'string', default: '' },
    limit: { type: 'string', default: '20000' },
    page: { type: 'boolean', default: false },
  },
})
const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')
const all = plantedIn(root, values.only.split(',')).map((one, id) => ({ ...one, id }))
const random = createRandom(Number(values.seed)).uniform
const byFolder = grouped(all, ({ file }) => dirname(file))
const wanted = [...byFolder.values()]
  .flatMap((list) => shuffled(list, random).slice(0, Number(values.each)))
  .sort((a, b) => a.id - b.id)
const fixed = wanted.filter(({ isFixed }) => isFixed).length
const work = mkdtempSync(join(tmpdir(), 'mutants-'))
process.on('exit', () => rmSync(work, { recursive: true, force: true }))
const log = join(work, 'log')
writeFileSync(log, '')
writeFileSync(
  join(work, 'places.json'),
  JSON.stringify(Object.fromEntries(grouped(wanted, ({ file }) => file))),
)
const near = testsByFile(root)
/** By test file how many of the files it reaches: the narrow ones come first, as they notice most for least. */
const reached = new Map<string, number>()
for (const file of new Set(wanted.map((one) => one.file)))
  for (const test of near(file)) reached.set(test, (reached.get(test) ?? 0) + 1)
const SLOW = 'tests/reference.test.ts'
const PAGE = /^tests.(report.(page-data|browser)|view.browser)/
const tests = [...reached]
  .sort((a, b) => Number(a[0] === SLOW) - Number(b[0] === SLOW) || a[1] - b[1])
  .map(([test]) => test)
  .filter((test) => test.startsWith(`tests/${values.match}`) && PAGE.test(test) === values.page)
  .slice(0, Number(values.tests))
console.log(`${wanted.length} mutants, ${fixed} not by switch, ${tests.length} test files`)
const lines = () =>
  readFileSync(log, 'utf8')
    .split('\n')
    .map((line) => line.split('\t'))
const started = Date.now()
for (;;) {
  const done = new Set(lines().flatMap(([word, name]) => (word === 'done' ? [name] : [])))
  const left = tests.filter((test) => !done.has(test) && existsSync(join(root, test)))
  if (left.length === 0) break
  const reason = await run(left)
  const [last] = lines()
    .filter(([word]) => word)
    .slice(-1)
  const said = (words: string[]) => writeFileSync(log, `${words.join('\t')}\n`, { flag: 'a' })
  if (last?.[0] === 'start') said(['noticed', last[1], last[2], reason])
  else {
    const now = new Set(lines().flatMap(([word, name]) => (word === 'done' ? [name] : [])))
    const next = tests.find((test) => !now.has(test))
    if (next && reason) {
      said(['broken', next, reason])
      said(['done', next])
    } else if (now.size === done.size && next) {
      said(['broken', next, 'did not run'])
      said(['done', next])
    }
  }
}

/** Runs test files until they end or one hangs. */
function run(left: readonly string[]): Promise<string> {
  writeFileSync(
    join(work, 'work.json'),
    JSON.stringify({
      count: all.length,
      wanted: wanted.filter((one) => !one.isFixed).map(({ id }) => id),
      log,
      limit: Number(values.limit),
      isPage: values.page,
    }),
  )
  const { CI: _, ...env } = process.env
  const child = spawn(
    process.execPath,
    [
      'node_modules/vitest/vitest.mjs',
      'run',
      '--config',
      'scripts/mutants/vitest.fast.config.ts',
      '--root',
      '.',
      ...left,
    ],
    {
      cwd: root,
      env: {
        ...env,
        MUTANT_WORK: join(work, 'work.json'),
        MUTANT_PLACES: join(work, 'places.json'),
        MUTANT_TESTS: JSON.stringify(left),
        TOUCHSTONE_SHARED: '/nowhere',
      },
      stdio: ['ignore', 'ignore', process.env.DEBUG ? 'inherit' : 'ignore'],
      detached: true,
    },
  )
  return new Promise((resolve) => {
    let reason = ''
    let size = -1
    let since = Date.now()
    const watch = setInterval(() => {
      const text = readFileSync(log, 'utf8')
      if (text.length !== size) [size, since] = [text.length, Date.now()]
      const [word, , , ms] = (text.trimEnd().split('\n').at(-1) as string).split('\t')
      const patience = word === 'start' ? 15_000 + 10 * Number(ms) : 180_000
      if (Date.now() - since < patience) return
      reason = 'hangs'
      process.kill(-(child.pid as number), 'SIGKILL')
    }, 500)
    child.on('close', () => {
      clearInterval(watch)
      try {
        process.kill(-(child.pid as number), 'SIGKILL')
      } catch {
        // It has ended.
      }
      const last = readFileSync(log, 'utf8').trimEnd().split('\n').at(-1)
      resolve(reason || (last?.startsWith('start') ? 'crash' : ''))
    })
  })
}

const state = new Map<number, string>()
const by = new Map<number, string[]>()
for (const [word, id, file] of lines()) {
  if (word === 'noticed') state.set(Number(id), 'noticed')
  if (word === 'lived' || word === 'skipped') {
    if (state.get(Number(id)) !== 'noticed')
      state.set(Number(id), word === 'skipped' ? 'partly' : (state.get(Number(id)) ?? 'lived'))
    by.set(Number(id), [...(by.get(Number(id)) ?? []), file])
  }
  if (word === 'broken') console.log('broken', id, file)
}
const short = (text: string) => text.replace(/\s+/g, ' ').slice(0, 90)
const counts = { noticed: 0, lived: 0, partly: 0, unexecuted: 0 }
for (const { id, file, line, kind, before, after, isFixed } of wanted) {
  if (isFixed) continue
  const result = (state.get(id) ?? 'unexecuted') as keyof typeof counts
  counts[result]++
  if (result === 'noticed') continue
  console.log(
    `${result.toUpperCase()} ${file}:${line} ${kind}: ${short(before)} -> ${short(after)} [${(by.get(id) ?? []).slice(0, 3).join(' ')}]`,
  )
}
console.log(JSON.stringify(counts), `${Math.round((Date.now() - started) / 1000)} s`)

function grouped<T>(list: readonly T[], keyOf: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const one of list) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one])
  return groups
}
