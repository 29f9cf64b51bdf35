import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts'],
    exclude: ['tests/browser/**', 'tests/heavy/**'],
    setupFiles: ['tests/no-warnings.ts', 'tests/fixed-seed.ts'],
    reporters: ['default', './tests/plain-reporter.ts'],
    // Nothing here keeps state in a module, so files may share one process; that saves half the time.
    isolate: false,
    testTimeout: 120_000,
  },
})
