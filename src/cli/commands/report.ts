import { statSync } from 'node:fs'
import { basename, relative, resolve } from 'node:path'
import { writeReport } from '../../report/write.ts'
import { defineCommand } from '../command.ts'
import { reportFile } from '../report-file.ts'

export const report = defineCommand({
  name: 'report',
  summary: 'one HTML file of a finished experiment, readable offline',
  args: { experiment: { value: 'EXPERIMENT', summary: 'the experiment folder' } },
  options: {
    out: {
      kind: 'text',
      short: 'o',
      value: 'FILE',
      summary: 'where to write it: a file or a folder (default: reports/<folder>.html)',
    },
  },
  examples: [
    'touchstone report experiments/quickstart',
    'touchstone report experiments/quickstart -o quickstart.html',
  ],
  async run({ args, options, io }) {
    const folder = resolve(io.folder, args.experiment)
    const file = reportFile(io, options.out, basename(folder))
    await writeReport(folder, file)
    const shown = relative(io.folder, file)
    if (options.json) io.json({ report: file, bytes: statSync(file).size })
    else io.out(`${shown.startsWith('..') ? file : shown}`)
  },
})
