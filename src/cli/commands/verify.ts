import { resolve } from 'node:path'
import { UserError } from '../../errors.ts'
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
import { readWhole } from '../../results/sample.ts'
import { readText } from '../../store/input.ts'
import { writeOutput } from '../../store/output.ts'
import { shownPath } from '../../text/shown-path.ts'
import { defineCommand } from '../command.ts'
import { FAILED } from '../exit.ts'

const COLUMNS: readonly Column<ScoreDifference>[] = [
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

export const verify = defineCommand({
  args: { experiment: { value: 'EXPERIMENT', summary: 'folder of a finished experiment' } },
  options: {
    expected: { kind: 'text', value: 'FILE', summary: 'file of expected scores, written by --write' },
    write: {
      kind: 'text',
      value: 'FILE',
      output: true,
      summary: 'file to write, with the scores of the experiment as expected scores',
    },
    tolerance: {
      kind: 'number',
      value: 'T',
      min: 0,
      summary:
        'maximum deviation of a mean (default: 0.0001 with --write, otherwise the tolerance in the file)',
    },
    only: {
      kind: 'text',
      value: 'ROWS',
      summary: 'with --expected: rows of the file to compare, such as --only bm25,hybrid',
    },
  },
  examples: [
    'touchstone verify experiments/quickstart --write expected.json',
    'touchstone verify experiments/quickstart --expected configs/expected/quickstart.json',
  ],
  async run({ args, options, io }) {
    if ((options.expected === undefined) === (options.write === undefined))
      throw new UserError('give --expected FILE to compare with, or --write FILE to write; one of the two')
    const found = meansOf(readWhole(resolve(io.folder, args.experiment)))
    if (options.write !== undefined) {
      if (options.only !== undefined) throw new UserError('--only goes with --expected, not with --write')
      const file = resolve(io.folder, options.write)
      const tolerance = options.tolerance ?? 0.0001
      requireStrict({ scores: found, tolerance })
      writeOutput(file, expectedText(found, tolerance), EXPECTED_SCORES)
      if (options.json) io.json({ expected: file })
      else io.out(shownPath(io.folder, file))
      return
    }
    const file = options.expected ?? ''
    const read = parseExpected(readText(resolve(io.folder, file)), file)
    const kept = options.only === undefined ? read : onlyRows(read, options.only.split(','), file)
    const expected = { ...kept, tolerance: options.tolerance ?? read.tolerance }
    const missing = missingScores(expected, found, file)
    if (missing.length > 0) throw new UserError(missing)
    requireStrict(expected)
    const differing = differingScores(expected, found)
    const compared = Object.values(expected.scores).reduce((sum, row) => sum + Object.keys(row).length, 0)
    if (options.json) io.json({ tolerance: expected.tolerance, compared, differing })
    else {
      if (differing.length > 0) io.out(terminalTable(differing, COLUMNS))
      io.out(`${differing.length} of ${compared} scores differ by more than ${expected.tolerance}`)
    }
    return differing.length > 0 ? FAILED : undefined
  },
})

function requireStrict(expected: Parameters<typeof looseTolerance>[0]): void {
  const loose = looseTolerance(expected)
  if (loose.length > 0) throw new UserError(loose)
}
