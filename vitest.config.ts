import { defineConfig } from 'vitest/config'

/** Tests of the page's scripts, which read the page as they are loaded: each file needs modules of its own. */
const PAGE = [
  'tests/report/page-data.test.ts',
  'tests/report/browser/**/*.test.ts',
  'tests/view/browser/**/*.test.ts',
]

/** Unit tests: what `npm test` runs. Tests that start processes are in tests/system, longer ones in tests/heavy. */
export default defineConfig({
  test: {
    globalSetup: 'tests/in-memory.ts',
    setupFiles: ['tests/no-warnings.ts', 'tests/fixed-seed.ts'],
    reporters: ['default', './tests/plain-reporter.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          setupFiles: ['tests/parts.ts'],
          include: ['tests/**/*.test.ts'],
          exclude: ['tests/browser/**', 'tests/heavy/**', 'tests/system/**', ...PAGE],
          // No test file keeps state in a module, so files may share one process. That saves half the time.
          isolate: false,
        },
      },
      { extends: true, test: { name: 'page', include: PAGE, isolate: true } },
    ],
    // One process a core; the default leaves one core to Vitest, that is half of two.
    maxWorkers: '100%',
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
})
