import { appendFileSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { type File, type Suite, startTests, type Task, type Test, type VitestRunner } from '@vitest/runner'
import { VitestTestRunner } from 'vitest/runners'

/** Work of a run: mutants by number, and those that are wanted. */
export interface Work {
  /** Count of all mutants. */
  readonly count: number
  readonly wanted: readonly number[]
  /** Log of results, a line each. */
  readonly log: string
  /** Milliseconds of tests of one file that one mutant may take. */
  readonly limit: number
  /** True for tests whose modules read the page as they are loaded: each bug needs modules of its own. */
  readonly isPage: boolean
}

const work: Work = JSON.parse(readFileSync(process.env.MUTANT_WORK as string, 'utf8'))
const executed = new Uint8Array(work.count)
let planted = -1
Object.assign(globalThis, {
  $mutant(id: number) {
    executed[id] = 1
    return id === planted
  },
})
const say = (...words: (string | number)[]): void =>
  appendFileSync(work.log, `${words.join('\t').replaceAll('\n', ' ')}\n`)

/** Numbers of the wanted mutants that were executed since the last call. */
function taken(): number[] {
  const list = work.wanted.filter((id) => executed[id])
  executed.fill(0)
  return list
}

interface Modules {
  readonly idToModuleMap: Map<string, { readonly id: string }>
  invalidateModule(node: { readonly id: string }): void
}

let isUnhandled = false
process.on('unhandledRejection', () => {
  isUnhandled = true
})

/** Runs each test file once as it is, then once for each wanted mutant that it executes and no file before has noticed. */
export default class MutantRunner extends VitestTestRunner {
  /** Executed while the file's modules were loaded, outside of tests, and by each test. */
  readonly #loaded = new Set<number>()
  readonly #around = new Set<number>()
  readonly #tests = new Map<string, { readonly mutants: ReadonlySet<number>; readonly ms: number }>()
  #failed = ''
  #started = 0

  onBeforeCollect(): void {
    if (planted >= 0) return
    this.#forget(() => true)
    taken()
  }

  override onCollectStart(file: File): void {
    super.onCollectStart(file)
    if (planted < 0) this.#started = performance.now()
  }

  onBeforeRunFiles(): void {
    if (planted < 0) for (const id of taken()) this.#loaded.add(id)
  }

  override async onBeforeRunTask(test: Test): Promise<void> {
    if (planted >= 0 && (this.#failed || isUnhandled || !this.#runs(test))) test.mode = 'skip'
    if (planted < 0) for (const id of taken()) this.#around.add(id)
    await super.onBeforeRunTask(test)
  }

  override onAfterRunTask(test: Test): void {
    super.onAfterRunTask(test)
    if (planted < 0)
      this.#tests.set(keyOf(test), { mutants: new Set(taken()), ms: test.result?.duration ?? 0 })
    else if (test.result?.state === 'fail') this.#failed ||= test.name
  }

  #runs(test: Test): boolean {
    return (
      this.#loaded.has(planted) ||
      this.#around.has(planted) ||
      !!this.#tests.get(keyOf(test))?.mutants.has(planted)
    )
  }

  #forget(which: (id: string) => boolean): void {
    const modules = (this as unknown as { workerState: { evaluatedModules: Modules } }).workerState
      .evaluatedModules
    for (const [id, node] of modules.idToModuleMap)
      if (/\/(?:src|tests|scripts)\//.test(id) && !id.includes('/mutants/') && which(id))
        modules.invalidateModule(node)
  }

  override async onAfterRunFiles(files?: File[]): Promise<void> {
    const [file] = files ?? []
    if (planted >= 0 || !file) return super.onAfterRunFiles()
    for (const id of taken()) this.#around.add(id)
    const name = relative(process.cwd(), file.filepath)
    const whole = performance.now() - this.#started
    const failure = failureOf(file)
    say('file', name, Math.round(whole))
    if (failure || isUnhandled) say('broken', name, failure || 'unhandled error')
    else await this.#plantEach(file.filepath, name)
    say('done', name)
    this.#loaded.clear()
    this.#around.clear()
    this.#tests.clear()
    isUnhandled = false
    await super.onAfterRunFiles()
  }

  async #plantEach(path: string, name: string): Promise<void> {
    const known = new Set(
      readFileSync(work.log, 'utf8')
        .split('\n')
        .map((line) => line.split('\t'))
        .filter(([word, , file]) => word === 'noticed' || file === name)
        .map(([, id]) => Number(id)),
    )
    // The process that started this one hears of the first run only.
    const { onTaskUpdate, onCollected, onCollectStart, onAfterRunFiles, config } = this as VitestRunner
    const none = async () => {}
    Object.assign(this, {
      onTaskUpdate: none,
      onCollected: none,
      onCollectStart: none,
      onAfterRunFiles: none,
      config: { ...config, testTimeout: 10_000, hookTimeout: 10_000 },
    })
    for (const id of work.wanted) {
      if (known.has(id)) continue
      const runs = [...this.#tests.values()].filter(({ mutants }) => mutants.has(id))
      const isEverywhere = this.#loaded.has(id) || this.#around.has(id)
      if (runs.length === 0 && !isEverywhere) continue
      const ms = (isEverywhere ? [...this.#tests.values()] : runs).reduce((sum, one) => sum + one.ms, 0)
      if (ms > work.limit) {
        say('skipped', id, name, Math.round(ms))
        continue
      }
      say('start', id, name, Math.round(ms))
      this.#forget((module) => work.isPage || module.split('?')[0] === path || this.#loaded.has(id))
      this.#failed = ''
      isUnhandled = false
      planted = id
      let result: string
      try {
        const [run] = await startTests([path], this as VitestRunner)
        result = this.#failed || failureOf(run) || (isUnhandled ? 'unhandled error' : '')
      } catch (error) {
        result = `runner: ${error}`
      }
      planted = -1
      taken()
      if (this.#loaded.has(id)) this.#forget(() => true)
      say(result ? 'noticed' : 'lived', id, name, result)
    }
    Object.assign(this, { onTaskUpdate, onCollected, onCollectStart, onAfterRunFiles, config })
    isUnhandled = false
  }
}

function keyOf(task: Task): string {
  const names: string[] = []
  for (let at: Task | undefined = task; at; at = at.suite) names.unshift(at.name)
  return `${names.join(' > ')} ${task.suite?.tasks.filter(({ name }) => name === task.name).indexOf(task)}`
}

/** Name of what failed, or empty. */
function failureOf(task: File | Suite | Test): string {
  if (task.type === 'suite')
    for (const child of task.tasks) {
      const failed = failureOf(child as Suite | Test)
      if (failed) return failed
    }
  return task.result?.state === 'fail' ? task.name || 'load' : ''
}
