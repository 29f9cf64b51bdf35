import { resolve } from 'node:path'
import { UserError } from '../../errors.ts'
import { diffText } from '../../report/diff.ts'
import { pairedScale } from '../../report/measured.ts'
import { type DiffSide, diffResults } from '../../results/diff.ts'
import { shownPath } from '../../text/shown-path.ts'
import { defineCommand } from '../command.ts'

export const diff = defineCommand({
  args: {
    before: { value: 'BEFORE', summary: 'folder of a finished experiment' },
    now: {
      value: 'NOW',
      summary: 'second experiment; without it, two rows of BEFORE are compared',
      optional: true,
    },
  },
  options: {
    trial: {
      kind: 'list',
      short: 't',
      value: 'NAME',
      summary: 'only this row; if given twice, the first is the row before, the second the row now',
    },
    measure: {
      kind: 'text',
      short: 'm',
      value: 'MEASURE',
      summary: 'measure of tests and flips (default: primary measure of NOW)',
    },
    limit: {
      kind: 'integer',
      value: 'N',
      min: 0,
      default: 10,
      summary: 'maximum number of flipped queries to show',
    },
  },
  examples: [
    'touchstone diff experiments/main experiments/new',
    'touchstone diff experiments/main experiments/new --trial bm25 --limit 3',
    'touchstone diff experiments/new --trial bm25 --trial hybrid',
  ],
  async run({ args, options, io }) {
    const { trial } = options
    if (trial.length > 2) throw new UserError('--trial: give it once or twice')
    if (args.now === undefined && trial.length < 2)
      throw new UserError('name a second experiment, or two rows of this one: --trial NAME --trial NAME')
    const [before, now = before] = trial
    if (args.now === undefined && before === now)
      throw new UserError(`--trial: \`${now}\` twice; name two rows`)
    const folders = [args.before, ...(args.now === undefined ? [] : [args.now])].map((path) =>
      resolve(io.folder, path),
    )
    const found = await diffResults({
      folders,
      rows: trial.length === 0 ? [] : [{ before, now }],
      measure: options.measure,
      limit: options.limit,
      scaleOf: pairedScale,
    })
    const shown = (side: DiffSide) => ({ ...side, folder: shownPath(io.folder, side.folder) })
    const result = { ...found, before: shown(found.before), now: shown(found.now) }
    if (options.json) io.json(result)
    else io.out(diffText(result, io.columns))
  },
})
