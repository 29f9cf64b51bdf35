import { defineConfig } from 'vitest/config'

/** What takes minutes: apart from `npm test`, which holds a short form of each. */
export default defineConfig({
  test: {
    include: ['tests/heavy/**/*.test.ts'],
    setupFiles: ['tests/no-warnings.ts', 'tests/fixed-seed.ts', 'tests/parts.ts'],
    reporters: ['default', './tests/plain-reporter.ts'],
    testTimeout: 3_600_000,
    maxWorkers: '100%',
    // Processes share the machine's clock and ports. A second try is shown in the output.
    retry: process.env.CI === undefined ? 0 : 1,
    // Folders of some hundred stores are removed at the end.
    hookTimeout: 120_000,
  },
})
