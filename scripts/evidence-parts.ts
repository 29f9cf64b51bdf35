import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { UserError } from '../src/errors.ts'
import { type Described, type Measured, type Part, shown, type Table, withPart } from './evidence-pages.ts'

export interface Request {
  readonly only: readonly string[]
  readonly sizes: readonly number[] | null
  readonly write: boolean
}

export interface Evidence {
  readonly all: readonly (Described & { load(): Promise<Measured> })[]
  /** File of the stored parts. */
  readonly store: string
  /** File with text made of the parts. */
  readonly page: string
  pageOf(parts: readonly Part[]): string
  /** True if rows hold times, so that a part says on what machine it was measured. */
  readonly timed: boolean
}

/** `--only NAME` (repeatable), `--sizes N,N` and `--write`. Throws a UserError if they are wrong. */
export function readRequest(words: readonly string[]): Request {
  const { values } = parsed(words)
  const sizes = values.sizes?.split(',').map(Number) ?? null
  if (sizes?.some((size) => !Number.isInteger(size) || size < 1))
    throw new UserError(`--sizes takes whole numbers separated by commas, not ${values.sizes}`)
  return { only: values.only, sizes, write: values.write }
}

function parsed(words: readonly string[]) {
  try {
    return parseArgs({
      args: [...words],
      options: {
        only: { type: 'string', multiple: true, default: [] },
        sizes: { type: 'string' },
        write: { type: 'boolean', default: false },
      },
    })
  } catch (error) {
    throw new UserError((error as Error).message)
  }
}

/** Runs a script's work: errors of operations exit with 1, errors of the user with a message and 2. */
export async function main(work: () => Promise<string[]>): Promise<void> {
  try {
    const failed = await work()
    for (const message of failed) console.error(message)
    process.exitCode = failed.length > 0 ? 1 : 0
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    console.error(error.message)
    process.exitCode = 2
  }
}

/**
 * Measures operations one after another and prints their tables. With `write`, each part is stored, and the page written
 * anew, as soon as it is measured: a kill loses one part. Returns the messages of operations that failed; the others go on.
 */
export async function measure(request: Request, evidence: Evidence): Promise<string[]> {
  const names = evidence.all.map(({ name }) => name)
  const chosen = await chosenOf(request, evidence)
  const failed: string[] = []
  for (const { name, file, sizes } of chosen) {
    for (const size of sizes) {
      const meter = startMeter()
      const begin = performance.now()
      try {
        const rows = await file.run(size as number)
        const label = `${name}${size === null ? '' : `, ${size}`}`
        const { cpu, others } = meter()
        const seconds = (performance.now() - begin) / 1000
        print(`${label} (${seconds.toFixed(0)} s, ${cpu.toFixed(0)} s of CPU)`, rows, others)
        if (!request.write) continue
        const stored: Part = {
          name,
          size,
          date: new Date().toISOString().slice(0, 10),
          ...(evidence.timed && { machine: machine(), others }),
          rows,
        }
        const kept = { names, sizes: sizesOf(file) }
        const parts = withPart(readParts(evidence.store), stored, kept)
        write(evidence.store, `${JSON.stringify({ parts }, null, 1)}\n`)
        write(evidence.page, evidence.pageOf(parts))
      } catch (error) {
        failed.push(`${name}, ${size}: ${(error as Error).stack}`)
      }
    }
  }
  return failed
}

export function readParts(store: string): Part[] {
  return existsSync(store) ? JSON.parse(readFileSync(store, 'utf8')).parts : []
}

/** Files of `folder` that end with `suffix`, each with the comment above its default export. */
export function evidenceFiles(folder: string, suffix: string): Evidence['all'] {
  return readdirSync(folder)
    .filter((file) => file.endsWith(suffix))
    .sort()
    .map((file) => ({
      name: file.slice(0, -suffix.length),
      about: aboutOf(readFileSync(join(folder, file), 'utf8')),
      load: async () => (await import(join(folder, file))).default as Measured,
    }))
}

function aboutOf(source: string): string {
  const [, comment = ''] = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*export default/.exec(source) ?? []
  return comment
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, ''))
    .join('\n')
    .trim()
}

const sizesOf = ({ sizes, onRequest = [] }: Measured): (number | null)[] =>
  sizes ? [...sizes, ...onRequest] : [null]

/** Files to measure, with their sizes. Throws a UserError for a name or a size that does not fit. */
async function chosenOf({ only, sizes, write }: Request, { all }: Evidence) {
  const unknown = only.filter((name) => !all.some((described) => described.name === name))
  if (unknown.length > 0)
    throw new UserError(
      `--only ${unknown.join(', ')}: no such operation; choose from ${all.map(({ name }) => name).join(', ')}`,
    )
  const named = all.filter(({ name }) => only.length === 0 || only.includes(name))
  const loaded = await Promise.all(named.map(async ({ name, load }) => ({ name, file: await load() })))
  return loaded.map(({ name, file }) => {
    if (sizes && !file.sizes)
      throw new UserError(`${name} has no sizes: leave --sizes out, or name others with --only`)
    const foreign = sizes?.filter((size) => !sizesOf(file).includes(size)) ?? []
    if (write && foreign.length > 0)
      throw new UserError(
        `--write stores ${name} at ${sizesOf(file).join(', ')}, not at ${foreign.join(', ')}`,
      )
    return { name, file, sizes: sizes ?? file.sizes ?? [null] }
  })
}

function machine(): string {
  return `${cpus()[0]?.model ?? 'unknown processor'}, ${cpus().length} cores, Node ${process.version}`
}

interface Load {
  /** CPU seconds of this process and its ended children. */
  readonly cpu: number
  /** Share of the cores' time that other programs took; undefined where /proc does not tell our children's time. */
  readonly others: number | undefined
}

/** Begins to count; the returned function ends it. */
function startMeter(): () => Load {
  const read = () => {
    const all = cpus().map(({ times }) => times)
    const idle = all.reduce((sum, times) => sum + times.idle, 0)
    const total = all.reduce((sum, times) => sum + Object.values(times).reduce((a, b) => a + b, 0), 0)
    const { user, system } = process.cpuUsage()
    return { idle, total, own: (user + system) / 1000 + (childrenTime() ?? 0) }
  }
  const before = read()
  return () => {
    const after = read()
    const [total, idle, own] = (['total', 'idle', 'own'] as const).map((key) => after[key] - before[key])
    const others = total > 0 ? Math.max(0, (total - idle - own) / total) : 0
    return { cpu: own / 1000, others: childrenTime() === undefined ? undefined : Number(others.toFixed(3)) }
  }
}

/** CPU milliseconds of children that have ended: two fields in ticks of 10 ms. */
function childrenTime(): number | undefined {
  if (!existsSync('/proc/self/stat')) return undefined
  const fields = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  return 10 * (Number(fields[13]) + Number(fields[14]))
}

function print(title: string, rows: Table, others: number | undefined): void {
  console.log(
    `\n${title}${others === undefined ? '' : `, other programs ${Math.round(100 * others)} % of the cores`}`,
  )
  console.table(
    rows.map((row) => Object.fromEntries(Object.entries(row).map(([key, cell]) => [key, shown(cell)]))),
  )
}

function write(path: string, text: string): void {
  writeFileSync(`${path}.tmp`, text)
  renameSync(`${path}.tmp`, path)
}
