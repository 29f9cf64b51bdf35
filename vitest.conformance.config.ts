import { defineConfig } from 'vitest/config'

/** Only the reference vectors: whatever cases the folder of TOUCHSTONE_SHARED holds. */
export default defineConfig({
  test: {
    include: ['tests/conformance/**/*.test.ts'],
    setupFiles: ['tests/no-warnings.ts', 'tests/fixed-seed.ts'],
    reporters: ['default', './tests/plain-reporter.ts'],
    testTimeout: 300_000,
  },
})
