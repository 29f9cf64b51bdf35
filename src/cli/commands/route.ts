import { resolve } from 'node:path'
import { UserError } from '../../errors.ts'
import { defineCommand } from '../command.ts'

export const route = defineCommand({
  name: 'route',
  summary: 'show which arm a router chooses for a question, and by which rule',
  args: { question: { value: 'QUESTION', summary: 'the question, in quotes' } },
  options: {
    rules: { kind: 'text', value: 'FILE', summary: "a YAML file of rules; the router's own if left out" },
  },
  examples: [
    'touchstone route "How is Ines Karrow related to Dara Quill?"',
    'touchstone route "an overview of the debate" --json',
  ],
  async run({ args, options, io }) {
    if (args.question.trim() === '') throw new UserError('the question is empty')
    const { route: choose } = await import('../../retrieve/router/rules.ts')
    const { DEFAULT_RULES } = await import('../../retrieve/router/rules.ts')
    const { readRules } = await import('../../retrieve/router/rules.ts')
    const rules = options.rules === undefined ? DEFAULT_RULES : readRules(resolve(io.folder, options.rules))
    const chosen = choose(args.question, rules)
    if (options.json) io.json(chosen)
    else io.out(`${chosen.arm}\n  ${chosen.rule}: ${chosen.because}`)
  },
})
