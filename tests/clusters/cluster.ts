import childProcess from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import timers from 'node:timers/promises'
import { vi } from 'vitest'
import { FORMAT } from '../../src/results/format.ts'
import { sha256 } from '../../src/store/hash.ts'

/** Output of a command, or the error of starting it. */
export interface Said {
  readonly code?: number
  readonly out?: string
  readonly err?: string
  readonly failed?: { readonly code?: string; readonly killed?: boolean }
}

/** A folder with a plan, as far as an executor reads it. */
export function writePlan(folder: string): void {
  mkdirSync(folder, { recursive: true })
  writeFileSync(
    join(folder, 'plan.json'),
    JSON.stringify({ format: FORMAT, hash: 'ab'.repeat(32), experiment: { name: 'towns' } }),
  )
}

/** Writes a part of the plan in `folder`; an executor reads its name and hash alone. */
export function writeResult(folder: string, shard: number): void {
  const { hash } = JSON.parse(readFileSync(join(folder, 'plan.json'), 'utf8'))
  const directory = join(folder, 'parts', hash.slice(0, 16))
  mkdirSync(directory, { recursive: true })
  const content = `part ${shard}`
  const name = `${String(shard).padStart(5, '0')}-${sha256(content).slice(0, 16)}.parquet`
  writeFileSync(join(directory, name), content)
}

/**
 * Slurm's commands without processes, and sleeps without time. Jobs get numbers from 1. `tests/system/slurm.test.ts` runs
 * the scripts.
 */
export function fakeCluster() {
  const asked: string[][] = []
  const slept: number[] = []
  /** Jobs whose cancelling has ended. */
  const cancelled: string[] = []
  const running = new Set<string>()
  const state = {
    /** Output of a command in place of the usual one. */
    plan: (_program: string, _words: readonly string[]): Said | undefined => undefined,
    /** Called for each job, with the shards of each task of an array. */
    submitted: (_job: string, _tasks: readonly (readonly number[])[]): void => {},
    /** Called at each sleep, counted from 1. */
    sleeping: (_count: number): void => {},
    env: undefined as unknown,
  }
  let jobs = 0

  function answer(program: string, words: readonly string[]): Said {
    const planned = state.plan(program, words)
    if (planned) return planned
    if (program === 'sbatch' && !words.includes('--test-only')) {
      const job = String(++jobs)
      running.add(job)
      state.submitted(job, tasksOf(words.at(-1) ?? ''))
      return { out: `${job}\n` }
    }
    if (program === 'squeue') return { out: running.has(words[1].replace('--jobs=', '')) ? 'RUNNING\n' : '' }
    return {}
  }

  const execFile = (
    program: string,
    words: readonly string[],
    { env }: { readonly env: unknown },
    done: (error: object | null, out: string, err: string) => void,
  ) => {
    asked.push([program, ...words])
    state.env = env
    const { code = 0, out = '', err = '', failed } = answer(program, words)
    const error = failed ?? (code === 0 ? null : { code })
    // Cancelling takes longer than anything else.
    const end = () => {
      if (program === 'scancel') cancelled.push(...words.slice(1))
      done(error, out, err)
    }
    if (program === 'scancel') setTimeout(end, 5)
    else queueMicrotask(end)
  }
  const sleep = async (milliseconds: number) => {
    slept.push(milliseconds)
    state.sleeping(slept.length)
  }
  const spies = [
    vi.spyOn(childProcess, 'execFile').mockImplementation(execFile as never),
    vi.spyOn(timers, 'setTimeout').mockImplementation(sleep as never),
  ]
  syncBuiltinESMExports()
  const remove = () => {
    for (const spy of spies) spy.mockRestore()
    syncBuiltinESMExports()
  }
  /** Words of the calls of a program. */
  const callsOf = (name: string) => asked.filter(([program]) => program === name).map(([, ...words]) => words)
  const arrays = () =>
    callsOf('sbatch').flatMap((words) => words.filter((word) => word.startsWith('--array=')))
  return { asked, callsOf, arrays, cancelled, slept, running, state, remove }
}

/** Shards of each task of an array's script; empty for another script. */
function tasksOf(script: string): number[][] {
  const lines = readFileSync(script, 'utf8').matchAll(/^(\d+)\) shards='(.*)' ;;$/gm)
  return [...lines].map(([, , words]) =>
    [...words.matchAll(/--shard (\d+)/g)].map(([, shard]) => Number(shard)),
  )
}
