import { defineConfig } from 'vitest/config'
import base from '../../vitest.config.ts'

/**
 * The unit tests, each file under its name in MUTANT_TEST. The root is the copy of the tree. Each file loads modules of its own, so
 * that it also executes what they do while they are loaded.
 */
export default defineConfig({
  ...base,
  test: {
    ...base.test,
    setupFiles: [...(base.test?.setupFiles ?? []), './mutant-setup.ts'],
    reporters: ['dot'],
    projects: (base.test?.projects ?? []).map((project) =>
      typeof project === 'object' && 'test' in project
        ? { ...project, test: { ...project.test, isolate: true } }
        : project,
    ),
  },
})
