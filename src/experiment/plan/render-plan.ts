import type { PlannedStep } from './count-steps.ts'
import { type AnswersEstimate, answerLines } from './estimate-answers.ts'
import { type JudgeEstimate, judgeLines } from './estimate-judges.ts'
import type { RequestsEstimate } from './estimate-requests.ts'
import { askingLines } from './render-requests.ts'
import type { TextsToEmbed } from './texts-to-embed.ts'

export interface PlanSummary {
  readonly experiment: string
  /** Those that are computed. */
  readonly trials: number
  /** Those that the config names; more where some are equal. */
  readonly named: number
  /** Where one factor is varied at a time: how many trials the full product names. */
  readonly product?: number
  /** The fitted routers, each with its arms: made of what their trials retrieved, so they compute no steps. */
  readonly routers: readonly { readonly name: string; readonly arms: readonly string[] }[]
  readonly equal: readonly { readonly name: string; readonly equal: readonly string[] }[]
  readonly queries: number
  /** Of stochastic trials: how many there are, how often each is run, and how many runs that adds. */
  readonly chance: { readonly trials: readonly string[]; readonly repeats: number; readonly added: number }
  readonly steps: readonly PlannedStep[]
  /** Of a race: how many queries are run at the end of each round. */
  readonly rounds?: readonly number[]
  /** What `prepare` would build, in order. */
  readonly toPrepare: readonly string[]
  readonly toEmbed: TextsToEmbed
  /** What models would be asked; absent where no step asks one, or a recording answers. */
  readonly toAsk?: RequestsEstimate
  /** What answering the questions would ask, after the run; absent where no answerer asks a model. */
  readonly toAnswer?: readonly AnswersEstimate[]
  /** What judging them would ask; absent where no judge asks a model. */
  readonly toJudge?: readonly JudgeEstimate[]
}

/** A plan as text: the distinct steps as a tree, with how often each is computed over all queries. */
export function renderPlan(plan: PlanSummary): string {
  const { experiment, trials, queries, steps, toPrepare, toEmbed } = plan
  const total = steps.reduce((sum, { count }) => sum + count, 0)
  const without = (trials + plan.chance.added) * queries
  const lines = [
    `${experiment}: ${counted(trials, 'trial')}, ${counted(queries, 'query')}`,
    ...(plan.product === undefined
      ? []
      : [
          `one factor at a time: ${counted(plan.named, 'trial')} named; the full product names ${number(plan.product)}`,
        ]),
    ...equalLines(plan),
    ...chanceLines(plan),
    ...plan.routers.map(
      ({ name, arms }) => `${name}: after the run, of ${arms.join(', ')}; it costs what they cost together`,
    ),
    '',
    'step                                         distinct      computed',
    ...tree(steps),
    `${'in all'.padEnd(44)}${''.padStart(9)}${number(total).padStart(14)}`,
    '',
    `${number(without)} (trial, query) pairs share ${number(total)} computations`,
    toPrepare.length > 0 ? `to prepare: ${[...new Set(toPrepare)].join(', ')}` : 'everything is prepared',
    ...Object.entries(toEmbed)
      .filter(([, count]) => count !== 0)
      .map(
        ([texts, count]) =>
          `to embed: ${texts}, ${count === null ? 'unknown: they are made with an embedder' : number(count)}`,
      ),
  ]
  if (plan.toAsk) lines.push(...askingLines(plan.toAsk))
  lines.push(...answerLines(plan.toAnswer ?? []), ...judgeLines(plan.toJudge ?? []))
  if (plan.rounds)
    lines.push(
      `race: ${counted(plan.rounds.length, 'round')}; all trials run on the first ${counted(plan.rounds[0], 'query')}, then those that are not ruled out as the best`,
    )
  if (steps.some(({ exact }) => !exact))
    lines.push(
      `<= an upper bound: the queries decide (a fallback, a route${plan.rounds ? ', who is left in the race' : ''})`,
    )
  return lines.join('\n')
}

/** The fewest repeats that say how much seeds vary: Student's t of a 95 % interval is 12.7 with two, 4.3 with three, 2.8 with five. */
const FEWEST_REPEATS = 3

function chanceLines({ chance: { trials, repeats, added } }: PlanSummary): string[] {
  if (trials.length === 0) return []
  const names = `${trials.slice(0, 5).join(', ')}${trials.length > 5 ? `, ${number(trials.length - 5)} more` : ''}`
  const which = counted(trials.length, 'stochastic trial')
  if (repeats === 1)
    return [
      `${which}, run with one seed, which says nothing of others: ${names}. At least ${FEWEST_REPEATS} repeats show how much seeds matter; \`repeats: 5\` adds ${number(4 * trials.length)} runs`,
    ]
  return [`${which}, run with ${number(repeats)} seeds each, which adds ${counted(added, 'run')}: ${names}`]
}

function equalLines({ trials, named, equal }: PlanSummary): string[] {
  if (named === trials) return []
  return [
    `${number(named)} trials are named, ${number(named - trials)} of them equal to another:`,
    ...equal.map(({ name, equal: others }) => `  ${name} = ${others.join(' = ')}`),
  ]
}

/** Parents before children; siblings in the order in which the trials name them. */
function tree(steps: readonly PlannedStep[], prefix: readonly string[] = []): string[] {
  const lines: string[] = []
  const heads = new Set(
    steps.filter(({ path }) => startsWith(path, prefix)).map(({ path }) => path[prefix.length]),
  )
  for (const head of heads) {
    if (head === undefined) continue
    const path = [...prefix, head]
    const own = steps.find((step) => step.path.length === path.length && startsWith(step.path, path))
    const label = `${'  '.repeat(prefix.length)}${head}`.padEnd(44)
    const count = own ? `${own.exact ? '' : '<= '}${number(own.count)}` : ''
    lines.push(`${label}${String(own?.distinct ?? '').padStart(9)}${count.padStart(14)}`)
    lines.push(...tree(steps, path))
  }
  return lines
}

function startsWith(path: readonly string[], prefix: readonly string[]): boolean {
  return prefix.every((name, index) => path[index] === name)
}

/** 1234567 as 1,234,567, whatever the locale. */
function number(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ',')
}

function counted(count: number, noun: string): string {
  const plural = noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`
  return `${number(count)} ${count === 1 ? noun : plural}`
}
