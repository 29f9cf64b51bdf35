import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts'],
    exclude: ['tests/browser/**', 'tests/heavy/**'],
    setupFiles: ['tests/no-warnings.ts'],
    reporters: ['default', './tests/plain-reporter.ts'],
    testTimeout: 120_000,
  },
})
