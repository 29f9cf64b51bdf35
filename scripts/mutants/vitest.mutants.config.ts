import { relative } from 'node:path'
import { defineConfig } from 'vitest/config'
import type { TestCase, TestModule, TestSpecification } from 'vitest/node'

/** One worker, the test files in the order of MUTANT_TESTS, and a line for each file and each failure. */
const order: string[] = JSON.parse(process.env.MUTANT_TESTS ?? '[]')
const pathOf = (module: TestModule) => relative(process.cwd(), module.moduleId)
const say = (...words: string[]): void => {
  process.stdout.write(`${words.join('\t').replaceAll('\n', ' ')}\n`)
}

class Sequencer {
  async shard(files: TestSpecification[]) {
    return files
  }
  async sort(files: TestSpecification[]) {
    const rank = ({ moduleId }: TestSpecification) => order.indexOf(relative(process.cwd(), moduleId))
    return files.sort((a, b) => rank(a) - rank(b))
  }
}

export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts'],
    setupFiles: ['tests/no-warnings.ts', 'tests/fixed-seed.ts'],
    // Tests of the page's scripts need modules of their own.
    isolate: order.some((file) => /^tests.(report.(page-data|browser)|view.browser)/.test(file)),
    testTimeout: 60_000,
    bail: 1,
    maxWorkers: 1,
    sequence: { sequencer: Sequencer },
    experimental: { fsModuleCache: true, fsModuleCachePath: './.vitest-cache' },
    reporters: [
      {
        onTestModuleStart: (module) => say('file', pathOf(module)),
        onTestCaseResult(test: TestCase) {
          if (test.result().state === 'failed') say('failed', pathOf(test.module), test.fullName)
          else say('test')
        },
        onTestModuleEnd(module) {
          if (module.state() === 'failed') say('failed', pathOf(module), 'does not load')
        },
        onTestRunEnd(modules, errors) {
          if (errors.length > 0) say('failed', pathOf(modules[0]), 'unhandled error')
        },
      },
    ],
  },
})
