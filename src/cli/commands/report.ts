import { statSync } from 'node:fs'
import { writeReport } from '../../library/report-file.ts'
import { defineCommand, output } from '../command.ts'

export default defineCommand({
  name: 'report',
  summary: 'write the report of a finished experiment: one HTML file, readable offline',
  args: { experiment: { value: 'EXPERIMENT', summary: 'experiment folder, over one dataset or several' } },
  options: { out: output('FILE', 'file or folder to write (default: reports/<folder>.html)') },
  examples: [
    'touchstone report experiments/quickstart',
    'touchstone report experiments/quickstart -o quickstart.html',
  ],
  async run({ args, options, io }) {
    const { report: file, datasets: datasetReports } = await writeReport(args.experiment, {
      out: options.out,
      folder: io.folder,
    })
    const bytes = statSync(file).size
    io.result(
      { report: file, bytes, datasets: datasetReports.length > 0 ? datasetReports : undefined },
      [file, ...datasetReports].map(io.shown).join('\n'),
    )
  },
})
