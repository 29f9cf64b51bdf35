import { z } from 'zod'
import { defineChunker } from '../../corpus/chunks/chunkers/index.ts'
import { defineExtractor } from '../../corpus/graph/extractors/index.ts'
import { createGuard, type Guard } from '../../custom/guard.ts'
import type { CustomFile } from '../../custom/load.ts'
import { sentences } from '../../text/sentences.ts'
import { tokenize } from '../../text/tokenize.ts'
import { countTokens } from '../../text/tokens.ts'
import { askModel } from '../steps/asking.ts'
import { fallback, fallbackUnlinked, fuseSides } from '../steps/combine.ts'
import { embedQuery, searchBm25, searchDense, searchHybrid } from '../steps/search.ts'
import { searchGrep } from '../strategies/grep.ts'
import { defineStrategy } from '../strategies/index.ts'
import { defineQueryTransform, defineRankingTransform } from '../transforms/index.ts'
import { indexes } from './indexes.ts'
import { defineEmbedder } from './returned.ts'
import { defineCustomStep } from './step.ts'

/** Steps that a custom strategy or transform may use. */
const provided = {
  askModel,
  embedQuery,
  fallback,
  fallbackUnlinked,
  fuseSides,
  searchBm25,
  searchDense,
  searchGrep,
  searchHybrid,
}

export function toolkitOf(guard: Guard, file?: CustomFile) {
  return {
    defineStrategy,
    defineQueryTransform,
    defineRankingTransform,
    defineChunker,
    defineEmbedder,
    defineExtractor,
    steps: { ...provided, defineStep: defineCustomStep(guard, file) },
    indexes,
    text: { countTokens, sentences, tokenize },
    z,
  }
}

export type Toolkit = ReturnType<typeof toolkitOf>

/** Steps for a program that imports this package. */
export const { steps } = toolkitOf(createGuard())
