import { z } from 'zod'
import { UserError } from '../../errors.ts'
import type { Evidence, Query, Ranking } from '../../types.ts'
import {
  armsOf,
  asksNames,
  DEFAULT_RULES,
  FITTED,
  hashRules,
  type Route,
  RULE_SETS,
  type Rules,
  readRules,
  routeByRules,
} from '../router/rules.ts'
import { defineStep, type Expression } from '../step.ts'
import { hashNames, namesFile, queryNames } from '../steps/keywords.ts'
import { defineStrategy, type StrategyOutput, strategies } from './index.ts'

type Chosen = Route & { readonly index: number }

const routeQuery = defineStep<Rules, [Query, (readonly string[])?], Chosen>({
  name: 'route',
  version: 2,
  arms: armsOf,
  facts: ({ arm }) => ({ arm }),
  run([{ text }, names], { params }) {
    const chosen = routeByRules(text, params, names)
    return { ...chosen, index: armsOf(params).indexOf(chosen.arm) }
  },
})

/** The chosen arm's ranking; only that one is computed. Arms are in the order of `armsOf`. */
const chooseRanking = defineStep<null, [Chosen, ...Ranking[]], Ranking>({
  name: 'choose',
  yields: 'ranking',
  pick: ({ index }) => index,
})

const chooseEvidence = defineStep<null, [Chosen, ...(readonly Evidence[])[]], readonly Evidence[]>({
  name: 'choose-evidence',
  pick: ({ index }) => index,
})

const noEvidence = defineStep<null, [Query], readonly Evidence[]>({ name: 'no-evidence', run: () => [] })

export function evidenceOr(
  evidence: Expression<readonly Evidence[]> | undefined,
  query: Expression<Query>,
): Expression<readonly Evidence[]> {
  return evidence ?? noEvidence([query])
}

const BY = ['features', 'intent']

const params = z.strictObject({
  rules: z
    .string()
    .min(1)
    .default(DEFAULT_RULES)
    .meta({ path: [...RULE_SETS, FITTED] })
    .describe(
      `${RULE_SETS.join(', ')}, a YAML file of rules, or \`${FITTED}\`: learned on other queries than it is scored on; needs \`folds\` or \`split\``,
    ),
  names: namesFile().describe(
    'a file of names in the questions, found by another program, for rules with `found`; default: by rules',
  ),
  by: z
    .string()
    .min(1)
    .optional()
    .meta({ path: BY })
    .describe(
      "basis of a fitted router's choice: `features` of the question and of the arms' rankings (default), the question's `intent`, or intents from a YAML file of policies",
    ),
  arms: z
    .record(z.string(), z.string().min(1))
    .default({})
    .describe(
      'arm -> name of its trial; other arms are strategies with defaults; a fitted router uses only these',
    ),
})

/** Strategies that need no params are arms with their defaults. */
await strategies.load(strategies.names.filter((name) => name !== 'router'))

export default defineStrategy({
  name: 'router',
  summary: 'chooses a strategy for each query by rules',
  source: 'seed document 003, Query Router',
  params,
  files: (params) => ({ ...hashRules(params.rules), ...hashNames(params) }),
  make: (params) => ({
    retrieve(query, inner) {
      if (params.rules === FITTED)
        throw new UserError('router: a fitted router is made of what its arms retrieved, after a run')
      if (params.by !== undefined) throw new UserError('router: `by` is for `rules: fitted`')
      const rules = readRules(params.rules)
      const names = armsOf(rules)
      if (params.names !== undefined && !asksNames(rules))
        throw new UserError('router: no rule asks for names that are `found`, so `names` is not read')
      const unknown = Object.keys(params.arms).filter((arm) => !names.includes(arm))
      if (unknown.length > 0)
        throw new UserError(`router: no rule leads to the arm ${unknown[0]}; there are ${names.join(', ')}`)
      const arms = names.map((name): StrategyOutput => {
        if (Object.hasOwn(params.arms, name)) return inner(params.arms[name], query)
        const strategy = name === 'router' ? undefined : strategies.byName.get(name)
        const defaults = strategy?.params.safeParse({})
        if (strategy && defaults?.success) return strategy.make(defaults.data).retrieve(query, inner)
        throw new UserError(`router: the arm ${name} is not a strategy; \`arms\` may name a trial for it`)
      })
      const chosen = routeQuery(asksNames(rules) ? [query, queryNames(query, params.names)] : [query], rules)
      const evidence = arms.some((arm) => arm.evidence)
        ? chooseEvidence([chosen, ...arms.map((arm) => evidenceOr(arm.evidence, query))])
        : undefined
      return { ranking: chooseRanking([chosen, ...arms.map(({ ranking }) => ranking)]), evidence }
    },
  }),
})
