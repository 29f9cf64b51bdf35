import { defineConfig, mergeConfig } from 'vitest/config'
import base from '../../vitest.config.ts'

/** The unit tests, each file under its name in MUTANT_TEST. The root is the copy of the tree. */
export default mergeConfig(
  base,
  defineConfig({ test: { setupFiles: ['./mutant-setup.ts'], reporters: ['dot'] } }),
)
