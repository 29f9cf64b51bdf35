import { join } from 'node:path'
import { describe } from 'vitest'
import { find } from '../../../src/registry.ts'
import { strategies } from '../../../src/retrieve/strategies/index.ts'
import { testCases } from '../../case-files.ts'

/** Each line of a case names a strategy and its params. */
describe('params of a strategy', () => {
  testCases(join(import.meta.dirname, '../../golden/strategies'), async ({ lines }) =>
    lines.flatMap((line) => {
      const [, name, params] = /^(\S+) (.*)$/.exec(line) ?? []
      const { error } = find(strategies, name).params.safeParse(JSON.parse(params))
      const problems = error?.issues.map(({ path, message }) => `  ${path.join('.')}: ${message}`)
      return [line, ...(problems ?? ['  accepted'])]
    }),
  )
})
