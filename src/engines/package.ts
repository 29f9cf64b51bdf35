import { createRequire } from 'node:module'
import { join } from 'node:path'
import { cwd } from 'node:process'
import { pathToFileURL } from 'node:url'
import { UserError } from '../errors.ts'

/**
 * An engine's own client, which somebody installs who wants that engine: looked for beside touchstone, then from the working
 * folder. Throws a UserError with the command that installs it.
 */
export async function clientOf<T>(name: string, version: string): Promise<T> {
  try {
    return (await import(name)) as T
  } catch (error) {
    if (!isMissing(error)) throw error
  }
  try {
    const found = createRequire(join(cwd(), 'any.js')).resolve(name)
    return (await import(pathToFileURL(found).href)) as T
  } catch (error) {
    if (!isMissing(error)) throw error
    throw new UserError(
      `this needs the package ${name}, which is not installed here. In the folder where you call touchstone: npm install ${name}@${version}`,
    )
  }
}

function isMissing(error: unknown): boolean {
  return ['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND'].includes((error as NodeJS.ErrnoException).code ?? '')
}
