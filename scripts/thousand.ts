import { spawn } from 'node:child_process'
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { stringify } from 'yaml'
import { loadConfig } from '../src/config/load.ts'
import { markdownTable } from './evidence-pages.ts'
import { write } from './world/write.ts'

/**
 * `npm run thousand`: configs/thousand.yaml over a generated world, as a user would run it: time after prepare, memory,
 * disk, the leaderboard; the same without sharing on 1 % of the trials, scaled; growth with trials, queries and
 * chunks; and the result's hash however the run was cut. `--quick` leaves growth out; `--write` writes docs/grids.md.
 */
const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    queries: { type: 'string', default: '1000' },
    chunks: { type: 'string', default: '10000' },
  },
})
const [queries, chunks] = [Number(values.queries), Number(values.chunks)]
const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const bin = join(root, 'bin', 'touchstone.js')
const folder = mkdtempSync(join(tmpdir(), 'touchstone-thousand-'))
const store = join(folder, 'store')

const SEED = 7

interface Ran {
  readonly seconds: number
  /** Megabytes at the peak; NaN where the system does not tell. */
  readonly peak: number
  readonly folder: string
}

try {
  const tables: [title: string, rows: Record<string, string>[]][] = []
  const print = (title: string, rows: Record<string, string>[]) => {
    console.log(`\n${title}`)
    console.table(rows)
    tables.push([title, rows])
  }
  const whole = join(root, 'configs', 'thousand.yaml')
  const world = makeWorld(chunks, queries)
  await touchstone(['prepare', whole, '--set', `dataset=${world}`, '--store', store])
  const shared = await run(whole, world, 'shared')
  const leaderboard = await touchstone(['leaderboard', shared.folder])
  const few = await config('one-percent', 100)
  const plain = await run(few, world, 'plain', ['--no-sharing'])
  const [all, some] = [trialsOf(shared), trialsOf(plain)]
  print(`${all} trials, ${queries} queries, ${chunks} chunks`, [
    { figure: 'run after prepare, report included', value: `${shared.seconds.toFixed(1)} s` },
    { figure: 'memory at the peak', value: `${shared.peak.toFixed(0)} MB` },
    { figure: 'the finished experiment on disk', value: `${(bytesOf(shared.folder) / 1e6).toFixed(0)} MB` },
    { figure: '`leaderboard` on it', value: `${leaderboard.seconds.toFixed(2)} s` },
    { figure: `${some} trials without sharing`, value: `${plain.seconds.toFixed(1)} s` },
    {
      figure: `that, scaled to ${all} trials, over the run with sharing`,
      value: `${((plain.seconds * all) / some / shared.seconds).toFixed(1)} x`,
    },
  ])
  print('The same result for every way to run', await identities(few, world))
  if (!values.quick) {
    const seconds = async (ran: Promise<Ran>) => (await ran).seconds
    const quarter = await config('a-quarter', 4)
    const byTrials = [
      await seconds(run(quarter, world, 'a-quarter')),
      await seconds(run(await config('half', 2), world, 'half')),
      shared.seconds,
    ]
    // The others with a quarter of the trials; fewer chunks with a quarter of the queries, which they can still yield.
    const byQueries = [
      await seconds(runOn(chunks, queries / 4, quarter)),
      await seconds(runOn(chunks, queries / 2, quarter)),
      byTrials[0],
    ]
    const byChunks = [
      await seconds(runOn(chunks / 4, queries / 4, quarter)),
      await seconds(runOn(chunks / 2, queries / 4, quarter)),
      byQueries[0],
    ]
    const growth = (what: string, [quarter, half, whole]: readonly number[]) => ({
      what,
      'a quarter': `${quarter.toFixed(1)} s`,
      half: `${half.toFixed(1)} s`,
      whole: `${whole.toFixed(1)} s`,
      'half to whole': `x ${(whole / half).toFixed(2)}`,
    })
    print('Growth: time for a part and for the whole (x 2 from half to whole is linear)', [
      growth('trials', byTrials),
      growth('queries, a quarter of the trials', byQueries),
      growth('chunks, a quarter of the trials and queries', byChunks),
    ])
  }
  if (values.write) {
    const machine = `${cpus()[0]?.model ?? 'unknown'} x ${cpus().length}, node ${process.version}`
    const parts = tables.map(([title, rows]) => `### ${title}\n\n${markdownTable(rows)}\n`).join('\n')
    const file = join(root, 'docs', 'grids.md')
    const block = /(<!-- thousand -->\n)[\s\S]*?(<!-- end -->)/
    const page = readFileSync(file, 'utf8')
    if (!block.test(page)) throw new Error('docs/grids.md has no place for thousand')
    const text = `\nWritten by \`npm run thousand -- --write\` (${machine}). Times depend on the machine; compare ratios.\n\n${parts}\n`
    writeFileSync(
      `${file}.tmp`,
      page.replace(block, (_, begin: string, end: string) => `${begin}${text}${end}`),
    )
    renameSync(`${file}.tmp`, file)
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** The thousand's config with every `step`-th trial alone; the baseline stays. */
async function config(name: string, step: number): Promise<string> {
  const file = join(folder, `${name}.yaml`)
  const original = join(root, 'configs', 'thousand.yaml')
  const { trials, compare } = await loadConfig(original, { set: [], env: {}, folder: root })
  const kept = trials.filter(({ id }, place) => place % step === 0 || id === compare.baseline)
  const [, head] = /^([\s\S]*?)^trials:/m.exec(readFileSync(original, 'utf8')) ?? []
  const [, tail] = /^(measures:[\s\S]*?)^compare:/m.exec(readFileSync(original, 'utf8')) ?? []
  const list = kept.map((trial) => ({ name: trial.name, [trial.strategy]: trial.params }))
  const baseline = trials.find(({ id }) => id === compare.baseline)?.name
  writeFileSync(
    file,
    `${head?.replace(/^dataset:.*$/m, 'dataset: .')}${stringify({ trials: list })}\n${tail}compare: ${JSON.stringify({ by: compare.by, baseline })}\n`,
  )
  return file
}

function makeWorld(passages: number, asked: number): string {
  const at = join(folder, `world-${passages}-${asked}`)
  write(at, SEED, { passages, queries: asked }, () => {})
  return at
}

/** A run over a smaller world, prepared before. */
async function runOn(passages: number, asked: number, file: string): Promise<Ran> {
  const smaller = makeWorld(passages, asked)
  await touchstone(['prepare', file, '--set', `dataset=${smaller}`, '--store', store])
  return run(file, smaller, `of-${passages}-${asked}`)
}

async function run(file: string, world: string, name: string, more: readonly string[] = []): Promise<Ran> {
  const out = join(folder, 'experiments', name)
  const report = join(folder, `${name}.html`)
  const ran = await touchstone([
    'run',
    file,
    '--set',
    `dataset=${world}`,
    '--store',
    store,
    '--workers',
    '2',
    '--out',
    out,
    '--report',
    report,
    ...more,
  ])
  return { ...ran, folder: out }
}

/** One experiment, run in every way that must not matter. */
async function identities(file: string, world: string): Promise<Record<string, string>[]> {
  const ways: [way: string, flags: string[]][] = [
    ['sharing, 2 workers, 32 queries a shard', []],
    ['without sharing', ['--no-sharing']],
    ['1 worker', ['--workers', '1']],
    ['8 workers', ['--workers', '8']],
    ['7 queries a shard', ['--shard-size', '7']],
    ['all queries in one shard', ['--shard-size', '10000']],
    ['a store built anew', ['--store', join(folder, 'cold')]],
  ]
  const rows: Record<string, string>[] = []
  for (const [way, flags] of ways) {
    const { folder: out } = await run(file, world, `way-${rows.length}`, flags)
    const { result } = JSON.parse(readFileSync(join(out, 'manifest.json'), 'utf8')) as { result: string }
    rows.push({ way, 'hash of the result': result.slice(0, 16) })
  }
  const hashes = new Set(rows.map((row) => row['hash of the result']))
  if (hashes.size > 1) throw new Error(`the results differ: ${JSON.stringify(rows, null, 2)}`)
  return rows
}

function trialsOf({ folder }: Ran): number {
  return (JSON.parse(readFileSync(join(folder, 'summary.json'), 'utf8')) as { trials: unknown[] }).trials
    .length
}

function bytesOf(path: string): number {
  if (!statSync(path).isDirectory()) return statSync(path).size
  return readdirSync(path).reduce((sum, name) => sum + bytesOf(join(path, name)), 0)
}

async function touchstone(args: readonly string[]): Promise<Omit<Ran, 'folder'>> {
  return spawned(process.execPath, [bin, ...args])
}

/** Runs a command to its end; fails where it does, with what it said. */
async function spawned(command: string, args: readonly string[]): Promise<Omit<Ran, 'folder'>> {
  const begin = performance.now()
  const child = spawn(command, args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.on('data', (data) => {
    said += data
  })
  let peak = Number.NaN
  const status = `/proc/${child.pid}/status`
  const watch = setInterval(() => {
    if (!existsSync(status)) return
    const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync(status, 'utf8')) ?? []
    if (kilobytes) peak = Number(kilobytes) / 1000
  }, 200)
  try {
    const code = await new Promise((resolve, reject) => child.on('close', resolve).on('error', reject))
    if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}\n${said}`)
  } finally {
    clearInterval(watch)
  }
  return { seconds: (performance.now() - begin) / 1000, peak }
}
