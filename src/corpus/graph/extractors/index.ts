import { createRegistry } from '../../../registry.ts'
import type { Extractor } from './define.ts'
import { graphml } from './graphml.ts'
import { graphragExtractor } from './graphrag.ts'
import { lightragExtractor } from './lightrag.ts'
import { llmGraphrag } from './llm-graphrag.ts'
import { llmOpenie } from './llm-openie.ts'
import { mongoexportExtractor } from './mongoexport.ts'
import { nounPhrases } from './noun-phrases.ts'
import { openie } from './openie.ts'
import { patterns } from './patterns.ts'
import { rules } from './rules.ts'
import { structure } from './structure.ts'
import { titles } from './titles.ts'

/** Every extractor. */
export const extractors = createRegistry<Extractor>('extractor', [
  graphml,
  graphragExtractor,
  lightragExtractor,
  llmGraphrag,
  llmOpenie,
  mongoexportExtractor,
  nounPhrases,
  openie,
  patterns,
  rules,
  structure,
  titles,
])
