import { dirname, resolve } from 'node:path'
import { performance } from 'node:perf_hooks'
import { textUnits } from '../../corpus/corpus.ts'
import { UserError } from '../../errors.ts'
import { askTrial } from '../../experiment/ask.ts'
import type { CompiledTrial } from '../../experiment/plan/compile.ts'
import type { OpenExperiment } from '../../experiment/plan/open.ts'
import { prepareAll } from '../../experiment/plan/prepare.ts'
import {
  type RetrievalTest,
  readTests,
  requireKnown,
  scoreTest,
  type TestFile,
} from '../../experiment/retrieval-tests.ts'
import { findTrial, openConfig } from '../../library/open-config.ts'
import { percent } from '../../report/numbers.ts'
import { type Column, terminalTable } from '../../report/table.ts'
import { printableText } from '../../report/terminal.ts'
import type { YamlInput } from '../../store/yaml-input.ts'
import { didYouMean } from '../../text/nearest.ts'
import { defineCommand, integer, list } from '../command.ts'
import { FAILED } from '../io.ts'
import { SET, STORE } from '../options.ts'

export default defineCommand({
  name: 'test',
  summary: 'run retrieval tests: required chunks by question; exit 3 if a test fails',
  args: { tests: { value: 'TESTS', summary: 'YAML file of tests, which names its config' } },
  options: {
    set: SET,
    store: STORE,
    test: list('NAME', 'only this test; may be repeated', 't'),
    repeats: integer('N', 'number of runs per question; every run must pass', {
      short: 'n',
      min: 1,
      max: 10_000,
      default: 1,
    }),
    embedder: list(
      'NAME',
      "embedder in place of the config's, such as lsa or {transformers: {model: M}}; may be repeated",
      'e',
    ),
  },
  examples: [
    'touchstone test docs/examples/retrieval-tests.yaml -n 10',
    'touchstone test docs/examples/retrieval-tests.yaml -t fiddle -e lsa',
  ],
  interrupted: 'prepared data is stored',
  async run({ args, options, io }) {
    const path = io.path(args.tests)
    const file = readTests(path)
    const chosen = chooseTests(file.value, options.test)
    const config = resolve(dirname(path), file.value.config)
    const results: Result[] = []
    for (const embedder of options.embedder.length > 0 ? options.embedder : [null]) {
      const set = embedder === null ? options.set : [...options.set, `prepare.embedder=${embedder}`]
      const open = await openConfig(io, config, { ...options, set })
      await prepareAll(open, io.progress)
      results.push(...(await runTests(open, file, chosen, { embedder, repeats: options.repeats })))
    }
    io.result(results, render(results))
    return results.some(({ passed }) => !passed) ? FAILED : undefined
  },
})

interface Result {
  readonly test: string
  readonly embedder: string | null
  readonly trial: string
  /** Mean over the repeats. */
  readonly recall: number
  readonly precision: number
  /** Number of repeats that passed. */
  readonly passes: number
  readonly repeats: number
  readonly passed: boolean
  readonly unmet: readonly string[]
  /** Median time of the repeats, in milliseconds. */
  readonly medianMilliseconds: number
}

function chooseTests({ tests }: TestFile, names: readonly string[]): RetrievalTest[] {
  const testNames = tests.map(({ name }) => name)
  const unknown = names.filter((name) => !testNames.includes(name))
  if (unknown.length > 0)
    throw new UserError(
      unknown.map((name) => ({ message: `there is no test \`${name}\`${didYouMean(name, testNames)}` })),
    )
  return tests.filter(({ name }) => names.length === 0 || names.includes(name))
}

async function runTests(
  open: OpenExperiment,
  file: YamlInput<TestFile>,
  tests: readonly RetrievalTest[],
  { embedder, repeats }: { readonly embedder: string | null; readonly repeats: number },
): Promise<Result[]> {
  const results: Result[] = []
  const recipes = new Set<CompiledTrial['ranking']['recipe']>()
  for (const test of tests) {
    const name = test.trial ?? file.value.trial
    const trial = name === undefined ? open.trials[0] : findTrial(name, open.trials)
    const { recipe } = trial.ranking
    if (!recipes.has(recipe)) requireKnown(file, await open.store.open(textUnits(recipe)))
    recipes.add(recipe)
    results.push({ embedder, ...(await runTest(open, trial, { ...file.value, ...test }, repeats)) })
  }
  return results
}

async function runTest(
  open: OpenExperiment,
  trial: CompiledTrial,
  { name, question, metadata, requires, depth = 10, recall = 1, precision = 0 }: RetrievalTest,
  repeats: number,
): Promise<Omit<Result, 'embedder'>> {
  const runs: (ReturnType<typeof scoreTest> & { milliseconds: number })[] = []
  for (let turn = 0; turn < repeats; turn++) {
    const begin = performance.now()
    const { asked } = await askTrial(open, trial, question, depth, () => performance.now(), { metadata })
    const milliseconds = performance.now() - begin
    const chunks = asked.sources.map(({ chunk }) => chunk)
    runs.push({ ...scoreTest(requires, chunks), milliseconds })
  }
  const mean = (of: (run: (typeof runs)[number]) => number) =>
    runs.reduce((sum, run) => sum + of(run), 0) / runs.length
  const passes = runs.filter((run) => run.recall >= recall && run.precision >= precision).length
  const unmet = [...new Set(runs.flatMap((run) => run.unmet))].sort((a, b) => a - b)
  const times = runs.map(({ milliseconds }) => milliseconds).sort((a, b) => a - b)
  return {
    test: name,
    trial: trial.name,
    passes,
    repeats,
    passed: passes === repeats,
    recall: mean((run) => run.recall),
    precision: mean((run) => run.precision),
    unmet: unmet.map((index) => wordsOf(requires[index])),
    medianMilliseconds: times[Math.floor(times.length / 2)],
  }
}

function wordsOf(requirement: RetrievalTest['requires'][number]): string {
  const [[kind, value]] = Object.entries(requirement)
  return `${kind} ${value}`
}

function render(results: readonly Result[]): string {
  const embedder: Column<Result> = { head: 'embedder', left: true, text: ({ embedder }) => embedder ?? '' }
  const columns: readonly Column<Result>[] = [
    { head: '', left: true, text: ({ passed }) => (passed ? 'pass' : 'FAIL') },
    { head: 'test', left: true, text: ({ test }) => test },
    ...(results.some(({ embedder }) => embedder !== null) ? [embedder] : []),
    { head: 'trial', left: true, text: ({ trial }) => trial },
    { head: 'recall', text: ({ recall }) => percent(recall) },
    { head: 'precision', text: ({ precision }) => percent(precision) },
    { head: 'passed', text: ({ passes, repeats }) => `${passes}/${repeats}` },
    { head: 'ms', text: ({ medianMilliseconds }) => medianMilliseconds.toFixed(1) },
  ]
  const missing = results.flatMap(({ test, embedder, unmet }) =>
    unmet.map(
      (requirement) =>
        `${printableText(test)}${embedder === null ? '' : ` (${printableText(embedder)})`}: not found: ${printableText(requirement)}`,
    ),
  )
  const failed = results.filter(({ passed }) => !passed).length
  const verdict = failed === 0 ? `all ${results.length} passed` : `${failed} of ${results.length} failed`
  return [terminalTable(results, columns), '', ...missing, verdict].join('\n')
}
