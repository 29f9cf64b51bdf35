import { resolve } from 'node:path'
import { UserError } from '../../errors.ts'
import { readScattered } from '../../run/scatter/layout.ts'
import { searchPart } from '../../run/scatter/search-part.ts'
import { defineCommand } from '../command.ts'
import { taskNumber } from '../task-number.ts'

export const searchPartCommand = defineCommand({
  name: 'search-part',
  summary: 'search one part of a scattered corpus for all its queries',
  args: { folder: { value: 'DIR', summary: 'the folder that `scatter` wrote' } },
  options: {
    part: {
      kind: 'text',
      value: 'N',
      summary: 'which part, from 0 (default: SLURM_ARRAY_TASK_ID or JOB_COMPLETION_INDEX of the environment)',
    },
  },
  examples: ['touchstone search-part scattered --part 0'],
  async run({ args, options, io }) {
    const folder = resolve(io.folder, args.folder)
    const scattered = readScattered(folder)
    const { parts } = scattered
    const given = options.part ?? taskNumber(io.env)
    if (given === undefined)
      throw new UserError('name the part: --part N, or set SLURM_ARRAY_TASK_ID or JOB_COMPLETION_INDEX')
    if (!/^\d+$/.test(given) || Number(given) >= parts)
      throw new UserError(`a part is from 0 to ${parts - 1}, not ${given}`)
    const made = searchPart(folder, scattered, Number(given))
    if (options.json) io.json({ part: Number(given), made })
    else io.out(`part ${given} of ${parts} is done${made === 0 ? ' already' : ''}`)
  },
})
