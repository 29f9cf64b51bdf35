import { defineConfig } from 'vitest/config'

/** Unit tests: what `npm test` runs. Tests that start processes are in tests/system, longer ones in tests/heavy. */
export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts'],
    exclude: ['tests/browser/**', 'tests/heavy/**', 'tests/system/**'],
    setupFiles: ['tests/no-warnings.ts', 'tests/fixed-seed.ts'],
    reporters: ['default', './tests/plain-reporter.ts'],
    // No test file keeps state in a module, so files may share one process. That saves half the time.
    isolate: false,
    // One process a core; the default leaves one core to Vitest, that is half of two.
    maxWorkers: '100%',
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
})
