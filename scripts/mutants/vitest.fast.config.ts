import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { defineConfig } from 'vitest/config'
import type { TestSpecification } from 'vitest/node'
import { type Numbered, withSwitches } from './switches.ts'

const planted: Record<string, Numbered[]> = JSON.parse(
  readFileSync(process.env.MUTANT_PLACES as string, 'utf8'),
)
const order: string[] = JSON.parse(process.env.MUTANT_TESTS ?? '[]')

export default defineConfig({
  plugins: [
    {
      name: 'mutants',
      enforce: 'pre',
      transform(source, id) {
        const mutants = planted[relative(process.cwd(), id.split('?')[0])]
        return mutants && { code: withSwitches(id, source, mutants), map: null }
      },
    },
  ],
  test: {
    include: ['tests/**/*.test.ts'],
    setupFiles: ['tests/no-warnings.ts', 'tests/fixed-seed.ts'],
    isolate: false,
    runner: './scripts/mutants/runner.ts',
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 1,
    fileParallelism: false,
    sequence: {
      sequencer: class {
        async shard(files: TestSpecification[]) {
          return files
        }
        async sort(files: TestSpecification[]) {
          const rank = ({ moduleId }: TestSpecification) => order.indexOf(relative(process.cwd(), moduleId))
          return files.sort((a, b) => rank(a) - rank(b))
        }
      },
    },
    reporters: [{}],
  },
})
