import { z } from 'zod'
import { LANGUAGE_MODELS, type Price } from '../models/prices.ts'

/** `prices` in a config: a model of the table, or a line of one's own. */
export const prices = z.strictObject({
  model: z.string().min(1).describe('a name for the report'),
  input: z.number().min(0).max(1e6).describe('dollars a million tokens read'),
  output: z.number().min(0).max(1e6).describe('dollars a million tokens written'),
  date: z
    .string()
    .regex(/^\d{4}-\d\d-\d\d$/, 'must be a day as 2026-11-22')
    .optional()
    .describe('the day of the price'),
})

export const PRICED = LANGUAGE_MODELS.map(({ model }) => model) as [string, ...string[]]

export function readPrices(given: z.output<typeof prices> | string | undefined): Price | null {
  if (given === undefined) return null
  if (typeof given !== 'string') return { ...given, date: given.date ?? null, source: 'the config' }
  return LANGUAGE_MODELS.find(({ model }) => model === given) ?? null
}
