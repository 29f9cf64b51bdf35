import type { Term } from './term.ts'
import { TERMS_A_L } from './terms-a-l.ts'
import { TERMS_M_W } from './terms-m-w.ts'

export const TERMS: readonly Term[] = [...TERMS_A_L, ...TERMS_M_W]
