import { resolve } from 'node:path'
import { requireQuestion } from '../../experiment/ask.ts'
import { defineCommand } from '../command.ts'

export const route = defineCommand({
  args: { question: { value: 'QUESTION', summary: 'question, in quotes' } },
  options: {
    rules: {
      kind: 'text',
      value: 'RULES',
      summary: 'names, seed-003 or a YAML file of rules (default: names)',
    },
  },
  examples: [
    'touchstone route "How is Ines Karrow related to Dara Quill?"',
    'touchstone route "an overview of the debate" --json',
  ],
  async run({ args, options, io }) {
    requireQuestion(args.question)
    const rules = await import('../../retrieve/router/rules.ts')
    const { rules: named = rules.DEFAULT_RULES } = options
    const read = rules.readRules(rules.RULE_SETS.includes(named) ? named : resolve(io.folder, named))
    const chosen = rules.routeByRules(args.question, read)
    if (options.json) io.json(chosen)
    else io.out(`${chosen.arm}\n  ${chosen.rule}: ${chosen.because}`)
  },
})
