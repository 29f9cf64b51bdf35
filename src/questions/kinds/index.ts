import type { Drafter } from '../draft.ts'
import { definitions } from './definitions.ts'
import { faq } from './faq.ts'
import { tables } from './tables.ts'

/** Drafters without a model: few questions that a person would keep. */
export const DRAFTERS: readonly Drafter[] = [definitions, tables, faq]
