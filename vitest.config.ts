import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts'],
    exclude: ['tests/browser/**', 'tests/heavy/**'],
    testTimeout: 60_000,
    onConsoleLog: () => undefined,
  },
})
