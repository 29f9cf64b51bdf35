import { defineConfig } from 'vitest/config'

/** The report in a real Chromium: apart from `npm test`, which needs nothing but Node. */
export default defineConfig({
  test: {
    include: ['tests/browser/**/*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    fileParallelism: false,
  },
})
