import { z } from 'zod'
import { FUSIONS } from '../../ranking/fuse.ts'
import type { Evidence } from '../../types.ts'
import { defineStep, type Expression } from '../step.ts'
import { fuseSides } from '../steps/combine.ts'
import { LIST_NORMS, weight } from '../steps/params.ts'
import { defineStrategy } from './index.ts'

const gather = defineStep<null, readonly (readonly Evidence[])[], readonly Evidence[]>({
  name: 'gather-evidence',
  run(lists) {
    const texts = new Map(lists.flat().map((text) => [`${text.kind} ${text.id} ${text.text}`, text]))
    return [...texts.values()]
  },
})

/** Distinct texts of all lists, in order. */
function gatherEvidence(
  lists: readonly Expression<readonly Evidence[]>[],
): Expression<readonly Evidence[]> | undefined {
  const [only] = lists
  return lists.length > 1 ? gather(lists, null) : only
}

const params = z
  .strictObject({
    of: z.array(z.string().min(1)).min(2).describe('names of the fused trials, as in `compare.baseline`'),
    fusion: z.enum(FUSIONS).default('rrf').describe('fusion of the lists'),
    weights: z
      .array(z.number().min(0).max(1000))
      .optional()
      .describe('one per trial, in their order; default: all 1; rrf and weighted only'),
    rrfK: weight(60, 'constant added to ranks; rrf only', 10_000),
    norm: z
      .enum(LIST_NORMS)
      .default('minmax')
      .describe('normalisation of scores to one scale; rrf ignores it'),
  })
  .superRefine(({ of, weights }, { addIssue }) => {
    for (const [index, name] of of.entries())
      if (of.indexOf(name) < index)
        addIssue({ code: 'custom', path: ['of', index], message: `names \`${name}\` twice` })
    if (weights && weights.length !== of.length)
      addIssue({
        code: 'custom',
        path: ['weights'],
        message: `has ${weights.length} for ${of.length} trials`,
      })
    else if (weights?.every((weight) => weight === 0))
      addIssue({ code: 'custom', path: ['weights'], message: 'leaves nothing to fuse: all are 0' })
  })

export default defineStrategy({
  name: 'fuse',
  summary: 'the rankings of other trials, fused',
  source: 'Cormack, Clarke, Buettcher, SIGIR 2009 (rrf); Fox and Shaw, TREC-2, 1994 (combmnz)',
  params,
  make: ({ of, fusion, weights, rrfK, norm }) => ({
    retrieve(query, inner) {
      const weighs = fusion === 'rrf' || fusion === 'weighted'
      const arms = of
        .map((name, index) => ({ name, weight: weighs ? (weights?.[index] ?? 1) : 1 }))
        .filter(({ weight }) => weight > 0)
        .map(({ name, weight }) => ({ ...inner(name, query), weight }))
      const evidence = arms.flatMap((arm) => arm.evidence ?? [])
      return {
        ranking: fuseSides(arms, fusion === 'rrf' ? { fusion, rrfK } : { fusion, norm }),
        evidence: gatherEvidence(evidence),
      }
    },
  }),
})
