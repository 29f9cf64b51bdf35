import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { gather } from '../../run/scatter/gather.ts'
import { readScattered } from '../../run/scatter/layout.ts'
import { formatNamed } from '../../runs/read.ts'
import { shownPath } from '../../text/shown-path.ts'
import { defineCommand } from '../command.ts'

export const gatherCommand = defineCommand({
  name: 'gather',
  summary: 'merge what the parts of a scattered corpus found, as runs of the whole corpus',
  args: { folder: { value: 'DIR', summary: 'the folder that `scatter` wrote' } },
  options: {},
  examples: ['touchstone gather scattered'],
  async run({ args, options, io }) {
    const folder = resolve(io.folder, args.folder)
    const scattered = readScattered(folder)
    const written: { trial: string; run: string }[] = []
    mkdirSync(join(folder, 'runs'), { recursive: true })
    for (const [list, { trial }] of scattered.lists.entries()) {
      const run = join(folder, 'runs', `${list}.parquet`)
      formatNamed('parquet', 'writeRun').writeRun?.(run, await gather(folder, scattered, list))
      written.push({ trial, run })
    }
    if (options.json) io.json(written)
    else for (const { trial, run } of written) io.out(`${trial}: ${shownPath(io.folder, run)}`)
  },
})
