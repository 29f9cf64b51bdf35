import { z } from 'zod'
import { UserError } from '../../errors.ts'
import { promptFiles } from '../../models/prompts/prompt.ts'
import { FUSIONS } from '../../ranking/fuse.ts'
import { hashPolicies, POLICY_SETS, type Policies, readPolicies } from '../router/intents.ts'
import { fuseSides } from '../steps/fuse.ts'
import { LIST_NORMS, pool, refuser, share, weight } from '../steps/params.ts'
import { askedRole, refuseIdleRole, roleParams } from '../steps/roles.ts'
import { searchQuery } from '../steps/search.ts'
import {
  askTerms,
  chooseWeight,
  countPaths,
  EXPANDERS,
  expandTerms,
  hashExamples,
  matchTerms,
  readExamples,
  scoreTerms,
  takeWeighted,
} from '../steps/traversal.ts'
import { defineStrategy } from './index.ts'

const HOLES = ['query']

const params = z
  .strictObject({
    policies: z
      .string()
      .min(1)
      .default(POLICY_SETS[0])
      .meta({ path: POLICY_SETS })
      .describe(
        `intents with their weights, and rules that add terms: ${POLICY_SETS.join(', ')} or a YAML file`,
      ),
    expander: z
      .enum(EXPANDERS)
      .default('rules')
      .describe("names of the corpus, rules and the question's words; or only the words"),
    terms: z
      .int()
      .min(0)
      .max(1000)
      .default(7)
      .describe("maximum number of terms added to the question's words"),
    idf: z
      .enum(['log', 'none'])
      .default('log')
      .describe(
        'weight of a token, pair or name: ln(N/n), or 1 as in the first version of the seed document',
      ),
    phraseBonus: weight(1, 'weight of two neighbouring tokens of a term that are neighbours in the chunk'),
    anchorBonus: weight(1, 'added to a chunk under a title, entity, tag or trait that is in the question'),
    coverageBonus: weight(0.1, 'added for each term that occurs in the chunk, at least in part'),
    alpha: share(0.5, "weight of dense search; an intent's policy may override it; weighted and rrf only"),
    fusion: z.enum(FUSIONS).default('weighted').describe('fusion of the two lists'),
    norm: z
      .enum(LIST_NORMS)
      .default('minmax')
      .describe('normalisation of scores to one scale; rrf ignores it'),
    rrfK: weight(60, 'constant added to ranks; rrf only', 10_000),
    ...roleParams('names further terms for a question', HOLES),
    examples: z
      .string()
      .min(1)
      .optional()
      .meta({ path: true })
      .describe('a YAML file of questions with their terms, shown to the model; default: built-in examples'),
    requireBothPaths: z.boolean().default(false).describe('keep only chunks that both paths found'),
    pool: pool(30),
  })
  .superRefine((params, context) => {
    const { requireBothPaths, alpha, fusion } = params
    const refuse = refuser(context)
    refuseIdleRole(params, context)
    if (params.examples !== undefined && params.model === undefined)
      refuse('examples', 'are for a `model`, and none is named')
    if (requireBothPaths && weighs(fusion) && isOnePath(alpha))
      refuse('requireBothPaths', `needs both paths, and \`alpha: ${alpha}\` leaves one out`)
  })

export default defineStrategy({
  name: 'traversal',
  summary: "the question's terms looked up at once in several indexes, fused with dense search",
  source: 'seed document 001, Hybrid Parallel Retrieval',
  params,
  files: (params) => ({
    ...promptFiles(HOLES)(params),
    ...hashPolicies(params.policies),
    ...hashExamples(params.examples),
  }),
  make: (params) => ({
    retrieve(query) {
      const { policies: path, expander, terms, fusion, norm, rrfK, pool: depth } = params
      const policies = readPolicies(path)
      const role = askedRole(params, 'expand-terms')
      const asked =
        role && askTerms([query], { ...role, terms, policies, examples: readExamples(params.examples) })
      const sources = asked ? ([query, asked] as const) : ([query] as const)
      const expansion = expandTerms(sources, { expander, terms, policies })
      const { idf, phraseBonus, anchorBonus, coverageBonus } = params
      const scoring = { idf, phraseBonus, anchorBonus, coverageBonus, depth }
      const byTerms = scoreTerms([matchTerms([expansion])], scoring)
      const semantic = searchQuery(query, depth)
      const fused = (alpha: number) => {
        const sides = [
          { ranking: byTerms, weight: 1 - alpha },
          { ranking: semantic, weight: alpha },
        ]
        const ranking = fuseSides(sides, fusion === 'rrf' ? { fusion, rrfK } : { fusion, norm })
        if (isOnePath(alpha)) return ranking
        return countPaths([ranking, byTerms, semantic], { requireBoth: params.requireBothPaths })
      }
      if (params.requireBothPaths && weighs(fusion)) refuseOnePath(policies, path)
      const alphas = weighs(fusion) ? alphasOf(policies, params.alpha) : [0.5]
      if (alphas.length === 1) return { ranking: fused(alphas[0]) }
      const chosen = chooseWeight([expansion], { alphas, otherwise: params.alpha })
      return { ranking: takeWeighted([chosen, ...alphas.map(fused)]) }
    },
  }),
})

function weighs(fusion: (typeof FUSIONS)[number]): boolean {
  return fusion === 'weighted' || fusion === 'rrf'
}

/** True for a weight of the dense side that leaves one path out. */
function isOnePath(alpha: number): boolean {
  return alpha === 0 || alpha === 1
}

function refuseOnePath({ intents, otherwise }: Policies, path: string): void {
  for (const { name, alpha } of [...intents, otherwise])
    if (alpha !== undefined && isOnePath(alpha))
      throw new UserError(
        `traversal: \`requireBothPaths\` needs both paths, and \`alpha: ${alpha}\` of the intent \`${name}\` in ${path} leaves one out`,
      )
}

function alphasOf({ intents, otherwise }: Policies, alpha: number): number[] {
  return [...new Set([...intents, otherwise].map((policy) => policy.alpha ?? alpha))]
}
