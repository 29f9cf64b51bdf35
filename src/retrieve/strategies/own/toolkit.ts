import { z } from 'zod'
import { createGuard, type Guard } from '../../../own/guard.ts'
import { embedQuery } from '../../steps/embed.ts'
import { fallback, fallbackUnlinked } from '../../steps/fallback.ts'
import { fuseSides } from '../../steps/fuse.ts'
import { defineOwnStep } from '../../steps/own-step.ts'
import { searchBm25, searchDense } from '../../steps/search.ts'
import { defineStrategy } from '../define.ts'

/** The steps that a strategy of one's own may use. */
const provided = { embedQuery, fallback, fallbackUnlinked, fuseSides, searchBm25, searchDense }

/** What a file with a strategy of one's own is given; `code` is the file's hash. */
export function toolkitOf(guard: Guard, code?: string) {
  return { defineStrategy, steps: { ...provided, defineStep: defineOwnStep(guard, code) }, z }
}

export type Toolkit = ReturnType<typeof toolkitOf>

/** The same for a program that imports this package. */
export const { steps } = toolkitOf(createGuard())
