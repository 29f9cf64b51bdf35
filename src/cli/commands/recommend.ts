import { dirname } from 'node:path'
import { recommend } from '../../library/recommend.ts'
import { printableText, wrapItem } from '../../report/terminal.ts'
import { requireOutputs, writeOutput } from '../../store/output.ts'
import { defineCommand, number, output } from '../command.ts'

/** First line of a written config: only such a file is overwritten. */
const HEAD = '# Recommended by touchstone'
const RECOMMENDED = {
  name: 'a config that `touchstone recommend` wrote',
  isOwn: (beginning: string) => beginning.startsWith(HEAD),
}

export default defineCommand({
  name: 'recommend',
  summary: 'recommend a strategy within limits of time and cost, with the reason and the runner-up',
  args: { experiment: { value: 'EXPERIMENT', summary: 'folder of a finished experiment' } },
  options: {
    p95: number('MS', 'maximum p95 of a query, in milliseconds (needs `latency`)', { min: 0 }),
    tokens: number(
      'N',
      'maximum tokens of a query: the context sent for an answer, and model calls of the strategy',
      { min: 0 },
    ),
    dollars: number('D', 'maximum dollars of a query (needs `prices`)', { min: 0 }),
    indexDollars: number('D', 'maximum dollars of language models at indexing', { min: 0 }),
    out: output('FILE', 'config to write, with the recommended trial only'),
  },
  examples: [
    'touchstone recommend experiments/quickstart',
    'touchstone recommend experiments/quickstart --p95 50 --index-dollars 0 -o chosen.yaml',
  ],
  async run({ args, options, io }) {
    const { p95, tokens, dollars, indexDollars } = options
    const limits = { p95, tokens, dollars, indexDollars }
    const out = options.out === undefined ? undefined : io.path(options.out)
    if (out) requireOutputs([{ path: out, kind: RECOMMENDED }])
    const { config, text, ...found } = await recommend(io.path(args.experiment), limits)
    if (out) {
      const first = text.split('\n').slice(0, 3).filter(Boolean)
      const notes = first.map((line) => `# ${printableText(line)}\n`).join('')
      writeOutput(out, `${HEAD}\n${notes}${await config(dirname(out))}`, RECOMMENDED)
    }
    const lines = text.split('\n').flatMap((line) => wrapItem(printableText(line), io.columns))
    if (out) lines.push('', `config: ${io.shown(out)}`)
    io.result({ ...found, config: out }, lines.join('\n'))
  },
})
