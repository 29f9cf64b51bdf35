import type { Drafter } from '../draft.ts'
import { definitions } from './definitions.ts'
import { faq } from './faq.ts'
import { headings } from './headings.ts'
import { references } from './references.ts'
import { tables } from './tables.ts'

/** Drafters without a model. */
export const DRAFTERS: readonly Drafter[] = [headings, definitions, tables, faq, references]
