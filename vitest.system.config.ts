import { defineConfig } from 'vitest/config'

/** Tests that start the installed program, kill it and wait for it, and the slowest of the others. */
export default defineConfig({
  test: {
    include: ['tests/system/**/*.test.ts'],
    globalSetup: 'tests/in-memory.ts',
    setupFiles: ['tests/no-warnings.ts', 'tests/fixed-seed.ts', 'tests/parts.ts'],
    reporters: ['default', './tests/plain-reporter.ts'],
    maxWorkers: '100%',
    // Processes share the machine's clock and ports. A second try is shown in the output.
    retry: process.env.CI === undefined ? 0 : 1,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
})
