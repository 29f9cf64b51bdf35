import { performance } from 'node:perf_hooks'
import { UserError } from '../../errors.ts'
import { type Asked, ask as askTrial } from '../../experiment/ask.ts'
import { prepareAll } from '../../experiment/open.ts'
import { didYouMean } from '../../text/nearest.ts'
import { defineCommand, SET } from '../command.ts'
import { openConfig, STORE } from '../experiment.ts'

export const ask = defineCommand({
  name: 'ask',
  summary: 'one question to one trial, with its steps, timings and sources',
  args: {
    config: { value: 'CONFIG', summary: 'the YAML file' },
    question: { value: 'QUESTION', summary: 'in quotes' },
  },
  options: {
    set: SET,
    store: STORE,
    trial: { kind: 'text', short: 't', value: 'NAME', summary: 'which trial (default: the first)' },
    depth: { kind: 'integer', value: 'N', min: 1, max: 1000, default: 5, summary: 'how many sources' },
  },
  examples: ['touchstone ask configs/quickstart.yaml "Who leads the harbour institute?" --trial bm25'],
  async run({ args, options, io }) {
    if (args.question.trim() === '') throw new UserError('the question is empty')
    const open = await openConfig(io, args.config, options)
    const names = open.trials.map(({ name }) => name)
    const trial =
      options.trial === undefined ? open.trials[0] : open.trials.find(({ name }) => name === options.trial)
    if (!trial) {
      const near = didYouMean(options.trial ?? '', names)
      throw new UserError(`there is no trial \`${options.trial}\`${near}; there are ${names.join(', ')}`)
    }
    await prepareAll(open, io.progress)
    const asked = await askTrial(open, trial, args.question, options.depth, () => performance.now())
    if (options.json) io.json(asked)
    else io.out(render(asked))
  },
})

function render({ trial, steps, sources, evidence, counters }: Asked): string {
  const lines = [`${trial}`, '']
  for (const { step, milliseconds } of steps)
    lines.push(`  ${step.padEnd(24)}${milliseconds.toFixed(2).padStart(10)} ms`)
  for (const [name, amount] of Object.entries(counters))
    lines.push(`  ${name.padEnd(24)}${String(amount).padStart(10)}`)
  lines.push('')
  if (sources.length === 0) lines.push('nothing was found')
  sources.forEach(({ chunk, score }, place) => {
    lines.push(`${place + 1}. ${chunk.title || chunk.id}  (${chunk.id}, score ${score.toPrecision(4)})`)
    lines.push(`   ${excerpt(chunk.text)}`)
  })
  if (evidence.length > 0) lines.push('', `evidence: ${evidence.length} texts`)
  for (const { kind, text } of evidence.slice(0, 5)) lines.push(`   ${kind}: ${excerpt(text)}`)
  return lines.join('\n')
}

/** One line; control characters of a corpus must not steer a terminal. */
function excerpt(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out.
  const line = text.replace(/[\u0000-\u001f\u007f-\u009f\s]+/g, ' ').trim()
  return line.length > 200 ? `${line.slice(0, 199)}…` : line
}
