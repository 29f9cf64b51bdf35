import { z } from 'zod'
import { askExternal, hashCommand } from '../steps/external.ts'
import { defineStrategy } from './define.ts'

/** Any other system as a trial: a process that is asked over stdin and answers over stdout, a line of JSON each. */
export const external = defineStrategy({
  name: 'external',
  summary: 'another system: a command that answers queries over stdin and stdout',
  source: 'docs/custom-parts.md',
  params: z.strictObject({
    command: z
      .array(z.string())
      .min(1)
      .meta({ path: 'words' })
      .describe("a program and its arguments; files are searched in the config's folder"),
    timeout: z.number().gt(0).max(86_400).default(60).describe('seconds that a query may take'),
    startTimeout: z
      .number()
      .gt(0)
      .max(86_400)
      .default(600)
      .describe('seconds until the system must be ready'),
    pool: z.int().min(1).max(10_000).default(100).describe('chunks to request'),
  }),
  files: ({ command }): Readonly<Record<string, string>> => hashCommand(command),
  retrieve({ query, params }) {
    const { command, timeout, startTimeout, pool } = params
    return { ranking: askExternal(query, { command, timeout, startTimeout }, pool) }
  },
})
