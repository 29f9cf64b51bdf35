import { statSync } from 'node:fs'
import { writeReport } from '../../library/write-report.ts'
import { shownPath } from '../../text/printable.ts'
import { defineCommand } from '../command.ts'

export const report = defineCommand({
  name: 'report',
  summary: 'write the report of a finished experiment: one HTML file, readable offline',
  args: { experiment: { value: 'EXPERIMENT', summary: 'experiment folder, over one dataset or several' } },
  options: {
    out: {
      kind: 'text',
      short: 'o',
      value: 'FILE',
      output: true,
      summary: 'file or folder to write (default: reports/<folder>.html)',
    },
  },
  examples: [
    'touchstone report experiments/quickstart',
    'touchstone report experiments/quickstart -o quickstart.html',
  ],
  async run({ args, options, io }) {
    const { report: file, datasets: own } = await writeReport(args.experiment, {
      out: options.out,
      folder: io.folder,
    })
    const bytes = statSync(file).size
    if (options.json) io.json({ report: file, bytes, ...(own.length > 0 ? { datasets: own } : {}) })
    else for (const written of [file, ...own]) io.out(shownPath(io.folder, written))
  },
})
