import { detectFormat } from '../../dataset/detect.ts'
import { loadDataset } from '../../dataset/load.ts'
import { firstRecords } from '../../dataset/types.ts'
import { writeBeir } from '../../dataset/write-beir.ts'
import { UserError } from '../../errors.ts'
import { cacheFolder } from '../../hub/cache.ts'
import { openNamed } from '../../hub/open.ts'
import { requireOutputFolder } from '../../store/output.ts'
import { choice, defineCommand, output, text } from '../command.ts'

export default defineCommand({
  name: 'import',
  summary: 'write a dataset of any format as a BEIR folder, and verify that it reads back equal',
  args: {
    path: { value: 'PATH', summary: 'file, folder or zip of any format in `touchstone list formats`' },
  },
  options: {
    from: text('FORMAT', 'format from `touchstone list formats` (default: recognized from the file)'),
    out: output('DIR', 'folder to write; must be new or empty'),
    missingGold: choice(
      'HOW',
      ['refuse', 'count'],
      'gold missing in the corpus, and questions without gold: `count` reports them and leaves such questions out',
      { default: 'refuse' },
    ),
  },
  examples: [
    'touchstone import hotpot_dev_distractor_v1.json -o datasets/hotpotqa',
    'touchstone import autorag-project/data -o datasets/mine',
  ],
  async run({ args, options, io }) {
    if (options.out === undefined) throw new UserError('name the folder to write: -o DIR')
    const path = await openNamed(args.path, io.folder, { ...io, notice: io.err })
    const out = io.path(options.out)
    requireOutputFolder(out)
    const name = options.from ?? detectFormat(path)
    const params = { path, missingGold: options.missingGold }
    const dataset = await loadDataset({ name, params }, io.folder, {
      cache: cacheFolder(io.env),
      progress: io.progress,
    })
    const isSaid = dataset.notices.some((line) => line.startsWith('read as '))
    const read = isSaid ? [] : [`read as ${name}`]
    for (const line of [...read, ...dataset.notices, ...firstRecords(dataset)]) io.err(line)
    if (dataset.missingGold > 0)
      io.err(
        `a config reads this folder with the policy for missing gold: dataset: {beir: {path: ${options.out}, missingGold: count}}`,
      )
    writeBeir(dataset, out)
    const again = await loadDataset(
      { name: 'beir', params: { path: out, judged: dataset.judgedUnit, missingGold: 'count' } },
      io.folder,
    )
    if (again.hash !== dataset.hash) throw new Error(`${out} does not read back equal to its source`)
    const { hash, judgedUnit: judged, documents, queries } = dataset
    io.result(
      { from: name, to: out, documents: documents.length, queries: queries.length, judged, hash },
      `${io.shown(out)}: ${documents.length} documents, ${queries.length} queries, read back equal`,
    )
  },
})
