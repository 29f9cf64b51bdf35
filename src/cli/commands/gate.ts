import { resolve } from 'node:path'
import { UserError } from '../../errors.ts'
import {
  GATE_JUNIT,
  GATE_MARKDOWN,
  type GateResult,
  gateJunit,
  gateLines,
  gateMarkdown,
  gateTable,
} from '../../report/gate.ts'
import { measureScale } from '../../report/measured.ts'
import { plural } from '../../report/numbers.ts'
import { countedIn } from '../../results/compare-paired.ts'
import { type PairedRows, readPairedRows } from '../../results/paired.ts'
import { readWhole } from '../../results/sample.ts'
import { catchableDrop, dropTest } from '../../statistics/drop.ts'
import { momentsOf } from '../../statistics/summarize.ts'
import { requireOutputs, writeOutput } from '../../store/output.ts'
import { defineCommand } from '../command.ts'
import { FAILED } from '../exit.ts'

export const gate = defineCommand({
  args: { experiment: { value: 'EXPERIMENT', summary: 'folder of a finished experiment' } },
  options: {
    baseline: { kind: 'text', value: 'FOLDER', summary: 'finished experiment to compare with' },
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
      summary: 'only this row; may be repeated (default: every row of both)',
    },
    level: {
      kind: 'number',
      value: 'A',
      min: 0.0001,
      max: 0.5,
      default: 0.05,
      summary: 'probability of a false alarm, over all rows',
    },
    draws: { kind: 'integer', value: 'N', min: 1000, default: 10_000, summary: 'draws of the test' },
    seed: { kind: 'integer', value: 'N', default: 1, summary: 'seed of the draws' },
    junit: {
      kind: 'text',
      value: 'FILE',
      output: true,
      summary: 'also write JUnit XML, one test case per row',
    },
    markdown: { kind: 'text', value: 'FILE', output: true, summary: 'also write a comment in Markdown' },
  },
  examples: [
    'touchstone gate experiments/new --baseline experiments/main --measure recall@5 --max-drop 0.01',
    'touchstone gate experiments/new --baseline experiments/main --junit gate.xml --markdown gate.md',
  ],
  async run({ args, options, io }) {
    if (options.baseline === undefined)
      throw new UserError('name the experiment to compare with: --baseline FOLDER')
    const outputs = [
      { path: options.junit, kind: GATE_JUNIT, text: gateJunit },
      { path: options.markdown, kind: GATE_MARKDOWN, text: gateMarkdown },
    ].flatMap(({ path, ...one }) => (path === undefined ? [] : [{ ...one, path: resolve(io.folder, path) }]))
    requireOutputs(outputs)
    const folders = [args.experiment, options.baseline].map((path) => resolve(io.folder, path))
    for (const folder of folders) readWhole(folder)
    const paired = await readPairedRows(folders[0], folders[1], options.measure, options.trial)
    const result = judge(paired, options)
    for (const { path, kind, text } of outputs) writeOutput(path, text(result), kind)
    if (options.json) io.json(result)
    else {
      io.out(gateTable(result))
      io.out(`\n${gateLines(result).join('\n')}`)
    }
    return result.rows.some(({ failed }) => failed) ? FAILED : undefined
  },
})

function judge(
  paired: PairedRows,
  { maxDrop, level, draws, seed }: { maxDrop: number; level: number; draws: number; seed: number },
): GateResult {
  const { summary, measure, clusters } = paired
  const { bounded, better } = measureScale(summary, measure)
  if (!bounded)
    throw new UserError(
      `\`${measure}\` does not lie between 0 and 1, which the test needs; choose a measure that does`,
    )
  const sign = better === 'higher' ? 1 : -1
  const counted = paired.rows.map((row) => {
    const { name, before, now } = row
    const counts = countedIn([row])
    return {
      name,
      before: Float64Array.from(counts, (query) => before[query]),
      now: Float64Array.from(counts, (query) => now[query]),
      drops: Float64Array.from(counts, (query) => sign * (before[query] - now[query])),
      clusters: clusters && Int32Array.from(counts, (query) => clusters[query]),
    }
  })
  const empty = counted.filter(({ drops }) => drops.length === 0)
  if (empty.length > 0)
    throw new UserError(
      empty
        .map(({ name }) => `no query counts in \`${measure}\` for \`${name}\` in both`)
        .map((message) => ({ message })),
    )
  const ps = counted.map(({ drops, clusters }) => dropTest(drops, maxDrop, { draws, seed, clusters }))
  const adjusted = ps.map((p) => Math.min(1, p * ps.length))
  const rows = counted.map(({ name, before, now, drops, clusters }, index) => ({
    name,
    n: drops.length,
    before: momentsOf(before).mean,
    now: momentsOf(now).mean,
    drop: momentsOf(drops).mean,
    p: adjusted[index],
    catchable: catchableDrop(drops, maxDrop, level / counted.length, { clusters }),
    failed: adjusted[index] <= level,
  }))
  return {
    measure,
    maxDrop,
    level,
    rows,
    notes: notesOn(
      paired,
      rows.every(({ catchable }) => catchable === null),
    ),
  }
}

function notesOn({ alone: { now, before }, sameData, rows }: PairedRows, blind: boolean): string[] {
  const rowsOf = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ')
  return [
    blind && 'With so few queries no drop would be found four times in five: this gate says nothing.',
    rows.length > 1 && `p is corrected by Bonferroni over ${rows.length} rows.`,
    now.rows.length > 0 && `Not compared, the baseline lacks them: ${rowsOf(now.rows)}.`,
    before.rows.length > 0 && `Not compared, the experiment lacks them: ${rowsOf(before.rows)}.`,
    now.queries + before.queries > 0 &&
      `${plural(now.queries, 'query', 'queries')} of the experiment and ${before.queries} of the baseline are not compared: the other lacks them.`,
    !sameData && 'The datasets differ: some of the difference may be theirs.',
  ].filter((note) => note !== false)
}
