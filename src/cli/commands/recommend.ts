import { dirname, resolve } from 'node:path'
import { recommend } from '../../library/recommend.ts'
import { printableText, wrapItem } from '../../report/terminal.ts'
import type { Limits } from '../../results/recommend.ts'
import { requireOutputs, writeOutput } from '../../store/output.ts'
import { shownPath } from '../../text/printable.ts'
import { defineCommand } from '../command.ts'

/** First line of a written config: only such a file is overwritten. */
const HEAD = '# Recommended by touchstone'
const RECOMMENDED = {
  name: 'a config that `touchstone recommend` wrote',
  isOwn: (beginning: string) => beginning.startsWith(HEAD),
}

export const recommendCommand = defineCommand({
  name: 'recommend',
  summary: 'recommend a strategy within limits of time and cost, with the reason and the runner-up',
  args: { experiment: { value: 'EXPERIMENT', summary: 'folder of a finished experiment' } },
  options: {
    p95: {
      kind: 'number',
      value: 'MS',
      min: 0,
      summary: 'maximum p95 of a query, in milliseconds (needs `latency`)',
    },
    tokens: {
      kind: 'number',
      value: 'N',
      min: 0,
      summary: 'maximum tokens of a query: the context sent for an answer, and model calls of the strategy',
    },
    dollars: { kind: 'number', value: 'D', min: 0, summary: 'maximum dollars of a query (needs `prices`)' },
    indexDollars: {
      kind: 'number',
      value: 'D',
      min: 0,
      summary: 'maximum dollars of language models at indexing',
    },
    out: {
      kind: 'text',
      short: 'o',
      value: 'FILE',
      output: true,
      summary: 'config to write, with the recommended trial only',
    },
  },
  examples: [
    'touchstone recommend experiments/quickstart',
    'touchstone recommend experiments/quickstart --p95 50 --index-dollars 0 -o chosen.yaml',
  ],
  async run({ args, options, io }) {
    const { p95, tokens, dollars, indexDollars } = options
    const limits: Limits = {
      ...(p95 !== undefined && { p95 }),
      ...(tokens !== undefined && { tokens }),
      ...(dollars !== undefined && { dollars }),
      ...(indexDollars !== undefined && { indexDollars }),
    }
    const out = options.out === undefined ? undefined : resolve(io.folder, options.out)
    if (out) requireOutputs([{ path: out, kind: RECOMMENDED }])
    const { config, text, ...found } = await recommend(resolve(io.folder, args.experiment), limits)
    if (out) {
      const lines = text.split('\n').slice(0, 3).filter(Boolean)
      const notes = lines.map((line) => `# ${printableText(line)}\n`).join('')
      writeOutput(out, `${HEAD}\n${notes}${await config(dirname(out))}`, RECOMMENDED)
    }
    if (options.json) io.json({ ...found, ...(out && { config: out }) })
    else {
      io.out(
        text
          .split('\n')
          .flatMap((line) => wrapItem(printableText(line), io.columns))
          .join('\n'),
      )
      if (out) io.out(`\nconfig: ${shownPath(io.folder, out)}`)
    }
  },
})
