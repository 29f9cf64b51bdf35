import { allOrDiagnostics, UserError } from '../../errors.ts'
import {
  GATE_JUNIT,
  GATE_MARKDOWN,
  gateJunit,
  gateLines,
  gateMarkdown,
  gateTable,
} from '../../report/gate.ts'
import { measureScale } from '../../report/measured.ts'
import { type Column, terminalTable } from '../../report/table.ts'
import {
  differingScores,
  EXPECTED_SCORES,
  expectedText,
  looseTolerance,
  meansOf,
  missingScores,
  onlyRows,
  parseExpected,
  type ScoreDifference,
} from '../../results/expected.ts'
import { testDrops } from '../../results/gate.ts'
import { openRows, pairedRows, rowNamed } from '../../results/paired.ts'
import { readWhole } from '../../results/read.ts'
import { readText } from '../../store/input.ts'
import { requireOutputs, writeOutput } from '../../store/output.ts'
import { type CommandInput, defineCommand, list, number, text } from '../command.ts'
import { FAILED } from '../io.ts'

const ARGS = { experiment: { value: 'EXPERIMENT', summary: 'folder of a finished experiment' } } as const

const TEST = { level: 0.05, draws: 10_000, seed: 1 } as const

const OPTIONS = {
  baseline: text('FOLDER', 'finished experiment to compare with'),
  expected: text('FILE', 'file of expected scores to compare with'),
  write: text('FILE', 'write the scores of the experiment as expected scores; nothing is compared', {
    output: true,
  }),
  tolerance: number(
    'T',
    'maximum deviation from an expected score (default: 0.0001 with --write, otherwise the tolerance in the file)',
    { min: 0 },
  ),
  measure: text('MEASURE', "measure to compare (default: the experiment's primary measure)", { short: 'm' }),
  maxDrop: number('D', 'allowed drop of the mean; 0.01 is one point', { min: 0, max: 0.99, default: 0 }),
  trial: list('NAME', 'only this row; may be repeated (default: every row of both, or of the file)', 't'),
  junit: text('FILE', 'also write JUnit XML, one test case per row', { output: true }),
  markdown: text('FILE', 'also write a comment in Markdown', { output: true }),
} as const

type Input = CommandInput<typeof ARGS, typeof OPTIONS>

export default defineCommand({
  name: 'gate',
  summary:
    'fail with exit 3 if an experiment lost more of a measure than allowed, or differs from expected scores',
  args: ARGS,
  options: OPTIONS,
  examples: [
    'touchstone gate experiments/new --baseline experiments/main --measure recall@5 --max-drop 0.01',
    'touchstone gate experiments/new --baseline experiments/main --junit gate.xml --markdown gate.md',
    'touchstone gate experiments/quickstart --write expected.json',
    'touchstone gate experiments/quickstart --expected configs/expected/quickstart.json',
  ],
  async run(input) {
    const { baseline, expected, write, tolerance, measure, junit, markdown } = input.options
    const named = [baseline, expected, write].filter((path) => path !== undefined)
    if (named.length !== 1)
      throw new UserError(
        'name an experiment to compare with by --baseline FOLDER, a file of scores by --expected FILE, or a file to write by --write FILE; one of the three',
      )
    if (baseline !== undefined && tolerance !== undefined)
      throw new UserError('--tolerance goes with --expected or --write, not with --baseline')
    const untested = { measure, junit, markdown }
    const passed = Object.entries(untested).filter(([, value]) => value !== undefined)
    if (baseline === undefined && passed.length > 0)
      throw new UserError(passed.map(([name]) => ({ message: `--${name} goes with --baseline` })))
    if (baseline !== undefined) return gateDrops(input, baseline)
    return expected === undefined ? writeExpected(input, write as string) : gateExpected(input, expected)
  },
})

async function gateDrops({ args, options, io }: Input, baseline: string): Promise<number | undefined> {
  const outputs = [
    { path: options.junit, kind: GATE_JUNIT, text: gateJunit },
    { path: options.markdown, kind: GATE_MARKDOWN, text: gateMarkdown },
  ].flatMap(({ path, ...output }) => (path === undefined ? [] : [{ ...output, path: io.path(path) }]))
  requireOutputs(outputs)
  const folders = [args.experiment, baseline].map((path) => io.path(path))
  for (const folder of folders) readWhole(folder)
  const [now, before] = await allOrDiagnostics(folders.map(openRows))
  const wanted = options.trial.map((name) => ({ before: rowNamed(before, name), now: rowNamed(now, name) }))
  const paired = pairedRows(now, before, options.measure ?? now.summary.primary, wanted)
  const result = testDrops(paired, measureScale(now.summary, paired.measure), {
    maxDrop: options.maxDrop,
    ...TEST,
  })
  for (const { path, kind, text } of outputs) writeOutput(path, text(result), kind)
  io.result(result, () => `${gateTable(result)}\n\n${gateLines(result).join('\n')}`)
  return result.rows.some(({ failed }) => failed) ? FAILED : undefined
}

function writeExpected({ args, options, io }: Input, path: string): undefined {
  if (options.trial.length > 0)
    throw new UserError('--trial goes with --baseline or --expected, not with --write')
  const scores = meansOf(readWhole(io.path(args.experiment)))
  const file = io.path(path)
  const tolerance = options.tolerance ?? 0.0001
  requireStrict({ scores, tolerance })
  writeOutput(file, expectedText(scores, tolerance), EXPECTED_SCORES)
  io.result({ expected: file }, io.shown(file))
}

function gateExpected({ args, options, io }: Input, file: string): number | undefined {
  const scores = meansOf(readWhole(io.path(args.experiment)))
  const read = parseExpected(readText(io.path(file)), file)
  const chosen = options.trial.length === 0 ? read : onlyRows(read, options.trial, file)
  const expected = { ...chosen, tolerance: options.tolerance ?? read.tolerance }
  const missing = missingScores(expected, scores, file)
  if (missing.length > 0) throw new UserError(missing)
  requireStrict(expected)
  const differing = differingScores(expected, scores)
  const compared = Object.values(expected.scores).reduce((sum, row) => sum + Object.keys(row).length, 0)
  const { tolerance } = expected
  const table = differing.length > 0 ? `${terminalTable(differing, SCORES)}\n` : ''
  io.result(
    { tolerance, compared, differing },
    `${table}${differing.length} of ${compared} scores differ by more than ${tolerance}`,
  )
  return differing.length > 0 ? FAILED : undefined
}

const SCORES: readonly Column<ScoreDifference>[] = [
  { head: 'row', left: true, text: ({ row }) => row },
  { head: 'measure', left: true, text: ({ measure }) => measure },
  { head: 'expected', text: ({ expected }) => String(expected) },
  { head: 'found', text: ({ found }) => String(found) },
  {
    head: 'difference',
    text: ({ expected, found }) =>
      expected === null || found === null ? '' : (found - expected).toPrecision(3),
  },
]

function requireStrict(expected: Parameters<typeof looseTolerance>[0]): void {
  const loose = looseTolerance(expected)
  if (loose.length > 0) throw new UserError(loose)
}
