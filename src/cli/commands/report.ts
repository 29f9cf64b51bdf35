import { statSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { writeMacroReport, writeReport } from '../../report/write.ts'
import { holdsDatasets } from '../../results/dataset-folders.ts'
import { readMacro } from '../../results/macro.ts'
import { defineCommand } from '../command.ts'
import { shownPath } from '../io.ts'
import { datasetReport, reportFile } from '../report-file.ts'

export const report = defineCommand({
  name: 'report',
  summary: 'write the report of a finished experiment: one HTML file, readable offline',
  args: {
    experiment: { value: 'EXPERIMENT', summary: 'the experiment folder, of one dataset or over several' },
  },
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
    const datasets = holdsDatasets(folder) ? readMacro(folder).datasets : []
    const own = datasets.map((dataset) => datasetReport(file, dataset.folder))
    for (const [index, dataset] of datasets.entries())
      await writeReport(join(folder, dataset.folder), own[index])
    if (datasets.length > 0) writeMacroReport(folder, file, own)
    else await writeReport(folder, file)
    const bytes = statSync(file).size
    if (options.json) io.json({ report: file, bytes, ...(own.length > 0 ? { datasets: own } : {}) })
    else for (const written of [file, ...own]) io.out(shownPath(io.folder, written))
  },
})
