import { createRegistry } from '../../registry.ts'
import { answerRelevancy } from './answer-relevancy.ts'
import { clarity } from './clarity.ts'
import { contextRecall } from './context-recall.ts'
import { correctness } from './correctness.ts'
import type { Judge } from './define.ts'
import { faithfulness } from './faithfulness.ts'
import { nuggetRecall } from './nugget-recall.ts'
import { preference } from './preference.ts'
import { rubric } from './rubric.ts'
import { safety } from './safety.ts'
import { similarity } from './similarity.ts'

/** Every judge, in the order of the docs. A new one is one file and one line here. */
export const judges = createRegistry<Judge>('judge', [
  correctness,
  preference,
  nuggetRecall,
  faithfulness,
  answerRelevancy,
  contextRecall,
  similarity,
  rubric,
  clarity,
  safety,
])
