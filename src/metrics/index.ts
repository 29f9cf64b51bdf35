import { createRegistry } from '../registry.ts'
import { CALL_METRICS } from './calls.ts'
import { CONTEXT_METRICS } from './context.ts'
import type { Metric } from './define.ts'
import { ENTITY_METRICS } from './entities.ts'
import { RANK_METRICS } from './rank.ts'
import { SET_METRICS } from './set.ts'

export const METRICS = createRegistry<Metric>(
  'measure',
  [...RANK_METRICS, ...CONTEXT_METRICS, ...CALL_METRICS, ...ENTITY_METRICS, ...SET_METRICS],
  '`touchstone list measures` shows all',
)
