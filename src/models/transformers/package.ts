import { createRequire } from 'node:module'
import { UserError } from '../../errors.ts'

/** Version of the package, as in package.json's optional dependencies; a test compares the two. */
export const PACKAGE = '@huggingface/transformers@4.3.1'

/**
 * Throws a UserError saying how to get transformers.js where it is not there. It is an optional dependency whose runtime
 * downloads libraries for graphics cards as it is installed: where that fails, npm leaves all of it out and says nothing.
 * Code for the processor is in the package itself, so an install without scripts is whole.
 */
export function requirePackage(resolve: (name: string) => string = createRequire(import.meta.url).resolve) {
  const name = PACKAGE.slice(0, PACKAGE.lastIndexOf('@'))
  try {
    resolve(name)
  } catch {
    throw new UserError(
      `a model in ONNX needs the optional package ${name}, which is not installed here (npm leaves it out silently where its install script cannot download). This installs it: npm install --ignore-scripts ${PACKAGE}, with --global if touchstone was installed so; \`embedder: lsa\` needs no package`,
    )
  }
}
