import { resolve } from 'node:path'
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
import { shownPath } from '../../text/printable.ts'
import { type CommandInput, defineCommand } from '../command.ts'
import { FAILED } from '../exit.ts'

const ARGS = { experiment: { value: 'EXPERIMENT', summary: 'folder of a finished experiment' } } as const

/** Level over all rows, draws and seed of the test. */
const TEST = { level: 0.05, draws: 10_000, seed: 1 } as const

const OPTIONS = {
  baseline: { kind: 'text', value: 'FOLDER', summary: 'finished experiment to compare with' },
  expected: { kind: 'text', value: 'FILE', summary: 'file of expected scores to compare with' },
  write: {
    kind: 'text',
    value: 'FILE',
    output: true,
    summary: 'write the scores of the experiment as expected scores; nothing is compared',
  },
  tolerance: {
    kind: 'number',
    value: 'T',
    min: 0,
    summary:
      'maximum deviation from an expected score (default: 0.0001 with --write, otherwise the tolerance in the file)',
  },
  measure: {
    kind: 'text',
    short: 'm',
    value: 'MEASURE',
    summary: "measure to compare (default: the experiment's primary measure)",
  },
  maxDrop: {
    kind: 'number',
    value: 'D',
    min: 0,
    // A drop of 1 is the whole range, so that the gate always passes; one point is 0.01.
    max: 0.99,
    default: 0,
    summary: 'allowed drop of the mean; 0.01 is one point',
  },
  trial: {
    kind: 'list',
    short: 't',
    value: 'NAME',
    summary: 'only this row; may be repeated (default: every row of both, or of the file)',
  },
  junit: {
    kind: 'text',
    value: 'FILE',
    output: true,
    summary: 'also write JUnit XML, one test case per row',
  },
  markdown: { kind: 'text', value: 'FILE', output: true, summary: 'also write a comment in Markdown' },
} as const

type Input = CommandInput<typeof ARGS, typeof OPTIONS>

export const gate = defineCommand({
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
    const given = Object.entries(untested).filter(([, value]) => value !== undefined)
    if (baseline === undefined && given.length > 0)
      throw new UserError(given.map(([name]) => ({ message: `--${name} goes with --baseline` })))
    if (baseline !== undefined) return gateDrops(input, baseline)
    return expected === undefined ? writeExpected(input, write as string) : gateExpected(input, expected)
  },
})

async function gateDrops({ args, options, io }: Input, baseline: string): Promise<number | undefined> {
  const outputs = [
    { path: options.junit, kind: GATE_JUNIT, text: gateJunit },
    { path: options.markdown, kind: GATE_MARKDOWN, text: gateMarkdown },
  ].flatMap(({ path, ...output }) =>
    path === undefined ? [] : [{ ...output, path: resolve(io.folder, path) }],
  )
  requireOutputs(outputs)
  const folders = [args.experiment, baseline].map((path) => resolve(io.folder, path))
  for (const folder of folders) readWhole(folder)
  const [now, before] = await allOrDiagnostics(folders.map(openRows))
  const wanted = options.trial.map((name) => ({ before: rowNamed(before, name), now: rowNamed(now, name) }))
  const paired = pairedRows(now, before, options.measure ?? now.summary.primary, wanted)
  const result = testDrops(paired, measureScale(now.summary, paired.measure), {
    maxDrop: options.maxDrop,
    ...TEST,
  })
  for (const { path, kind, text } of outputs) writeOutput(path, text(result), kind)
  if (options.json) io.json(result)
  else {
    io.out(gateTable(result))
    io.out(`\n${gateLines(result).join('\n')}`)
  }
  return result.rows.some(({ failed }) => failed) ? FAILED : undefined
}

function writeExpected({ args, options, io }: Input, path: string): undefined {
  if (options.trial.length > 0)
    throw new UserError('--trial goes with --baseline or --expected, not with --write')
  const scores = meansOf(readWhole(resolve(io.folder, args.experiment)))
  const file = resolve(io.folder, path)
  const tolerance = options.tolerance ?? 0.0001
  requireStrict({ scores, tolerance })
  writeOutput(file, expectedText(scores, tolerance), EXPECTED_SCORES)
  if (options.json) io.json({ expected: file })
  else io.out(shownPath(io.folder, file))
}

function gateExpected({ args, options, io }: Input, file: string): number | undefined {
  const scores = meansOf(readWhole(resolve(io.folder, args.experiment)))
  const read = parseExpected(readText(resolve(io.folder, file)), file)
  const kept = options.trial.length === 0 ? read : onlyRows(read, options.trial, file)
  const expected = { ...kept, tolerance: options.tolerance ?? read.tolerance }
  const missing = missingScores(expected, scores, file)
  if (missing.length > 0) throw new UserError(missing)
  requireStrict(expected)
  const differing = differingScores(expected, scores)
  const compared = Object.values(expected.scores).reduce((sum, row) => sum + Object.keys(row).length, 0)
  if (options.json) io.json({ tolerance: expected.tolerance, compared, differing })
  else {
    if (differing.length > 0) io.out(terminalTable(differing, SCORES))
    io.out(`${differing.length} of ${compared} scores differ by more than ${expected.tolerance}`)
  }
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
