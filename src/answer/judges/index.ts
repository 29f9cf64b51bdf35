import { createRegistry } from '../../registry.ts'
import { answerCorrectness } from './answer-correctness.ts'
import { answerRelevancy } from './answer-relevancy.ts'
import { clarity } from './clarity.ts'
import { contextRecall } from './context-recall.ts'
import { contextRelevance } from './context-relevance.ts'
import { correctness } from './correctness.ts'
import { coverage } from './coverage.ts'
import type { Judge } from './define.ts'
import { evidenceRecall } from './evidence-recall.ts'
import { faithfulness } from './faithfulness.ts'
import { withLabels } from './labels.ts'
import { rubric } from './rubric.ts'
import { safety } from './safety.ts'
import { similarity } from './similarity.ts'

/** Every judge, in the order of the docs. A new one is one file and one line here. */
const all = [
  correctness,
  answerCorrectness,
  coverage,
  faithfulness,
  answerRelevancy,
  contextRecall,
  evidenceRecall,
  contextRelevance,
  similarity,
  rubric,
  clarity,
  safety,
]

export const judges = createRegistry<Judge>('judge', all.map(withLabels))
