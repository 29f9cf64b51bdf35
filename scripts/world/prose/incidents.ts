import type { Incident } from './incident.ts'
import { INCIDENTS_A_H } from './incidents-a-h.ts'
import { INCIDENTS_L_T } from './incidents-l-t.ts'

export const INCIDENTS: readonly Incident[] = [...INCIDENTS_A_H, ...INCIDENTS_L_T]
