import type { TestModule } from 'vitest/node'
import type { Reporter } from 'vitest/reporters'

/** Closes a run with the suites that were left out, and one plain line that any tool can read: `120 passed, 0 failed, 3 skipped`. */
export default class PlainReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const counts = { passed: 0, failed: errors.length, skipped: 0, pending: 0 }
    for (const module of modules) {
      if (module.errors().length > 0) counts.failed++
      for (const test of module.children.allTests()) counts[test.result().state]++
    }
    const left = modules.flatMap(({ children }) =>
      [...children.suites()].filter(({ options }) => options.mode === 'skip').map(({ name }) => name),
    )
    if (left.length > 0) process.stdout.write(`\nleft out:\n${left.map((name) => `  ${name}\n`).join('')}`)
    const { passed, failed, skipped, pending } = counts
    process.stdout.write(`\n${passed} passed, ${failed} failed, ${skipped + pending} skipped\n`)
  }
}
