import { resolve } from 'node:path'
import { UserError } from '../../errors.ts'
import { openConfig } from '../../library/open-config.ts'
import { prepareAll } from '../../plan/open.ts'
import { scatter } from '../../run/scatter/scatter.ts'
import { ALLOW_EMPTY, defineCommand, ONLY, SET, STORE } from '../command.ts'

export const scatterCommand = defineCommand({
  name: 'scatter',
  summary: 'cut a prepared corpus into parts that machines search by themselves (naive and bm25)',
  args: { config: { value: 'CONFIG', summary: 'the YAML file' } },
  options: {
    set: SET,
    allowEmpty: ALLOW_EMPTY,
    store: STORE,
    only: ONLY,
    parts: { kind: 'integer', value: 'N', min: 1, max: 10_000, default: 4, summary: 'how many parts' },
    out: { kind: 'text', short: 'o', value: 'DIR', summary: 'the folder to write' },
  },
  examples: ['touchstone scatter mine.yaml --only naive,bm25 --parts 4 -o scattered'],
  async run({ args, options, io }) {
    if (options.out === undefined) throw new UserError('name the folder to write: -o DIR')
    const open = await openConfig(io, args.config, options)
    await prepareAll(open, io.progress)
    const folder = resolve(io.folder, options.out)
    const { parts, chunks, queries, lists } = await scatter(open, folder, options.parts)
    await open.store.close()
    if (options.json)
      io.json({ folder, parts, chunks, queries: queries.length, lists: lists.map(({ trial }) => trial) })
    else
      io.out(
        `${chunks} chunks in ${parts} parts, ${queries.length} queries; search each: touchstone search-part ${options.out} --part N, then touchstone gather ${options.out}`,
      )
  },
})
