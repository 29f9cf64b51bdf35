import { z } from 'zod'
import type { TrialEngine } from '../retrieve/steps/engine.ts'
import type { TrialKey } from './trial-keys.ts'

const engine = z.string().optional().meta({ engine: true })

export const engineSchema = z
  .strictObject({
    dense: engine.describe('a name in `engines`: dense search runs there; default: in memory'),
    lexical: engine.describe('a name in `engines`: lexical search runs there; default: in memory'),
  })
  .refine((engines) => Object.keys(engines).length > 0, 'names no engine; as `{dense: search}`')

export const ENGINE: TrialKey<TrialEngine> = {
  name: 'engine',
  summary: 'engines in which a trial searches',
  params: engineSchema,
  form: 'an engine is {dense: NAME, lexical: NAME}, one of them or both',
  labelOf: (engines) =>
    Object.entries(engines)
      .map(([side, name]) => `${side}:${name}`)
      .join('+'),
}
