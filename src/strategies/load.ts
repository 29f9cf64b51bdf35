import { pathToFileURL } from 'node:url'
import { z } from 'zod'
import { UserError } from '../errors.ts'
import * as steps from '../steps/steps.ts'
import { defineStrategy, type Strategy } from './define.ts'

/**
 * What a file with a strategy of one's own may export as its default: the strategy, or a function that makes it from
 * this toolkit. The function needs no import, so that the file may lie anywhere.
 */
export const toolkit = { defineStrategy, steps, z }
export type Toolkit = typeof toolkit

/** Loads the strategy that the file at `path` (absolute) exports as its default. The file's code is run. */
export async function loadStrategy(path: string): Promise<Strategy> {
  const fail = (message: string) => new UserError({ file: path, message })
  let exported: unknown
  try {
    exported = (await import(pathToFileURL(path).href)).default
    if (typeof exported === 'function') exported = await exported(toolkit)
  } catch (error) {
    throw fail(`could not be loaded: ${error instanceof Error ? error.message : String(error)}`)
  }
  if (exported === undefined)
    throw fail('has no default export; a strategy is `export default defineStrategy({...})`')
  if (!exported || typeof exported !== 'object') throw fail('the default export is no strategy')
  const found = exported as Record<string, unknown>
  const lacking = [
    ...(['name', 'summary', 'source'] as const)
      .filter((key) => typeof found[key] !== 'string')
      .map((key) => `${key} (text)`),
    ...(isObjectSchema(found.params) ? [] : ['params (z.strictObject({...}))']),
    ...(typeof found.retrieve === 'function' ? [] : ['retrieve (a function)']),
  ]
  if (lacking.length > 0) throw fail(`the default export is no strategy: it lacks ${lacking.join(', ')}`)
  return exported as Strategy
}

/** By what it can do, not by its class: the file may bring its own copy of zod. */
function isObjectSchema(value: unknown): boolean {
  const schema = value as { shape?: unknown; safeParse?: unknown } | undefined
  return typeof schema?.shape === 'object' && typeof schema.safeParse === 'function'
}
