import type { PlannedStep } from './count-steps.ts'
import { callLines, type Estimate } from './estimates/calls.ts'
import { embeddingLines, type TextsToEmbed } from './estimates/texts.ts'

export interface PlanSummary extends TextsToEmbed {
  readonly experiment: string
  readonly trials: number
  readonly named: number
  readonly routers: readonly { readonly name: string; readonly arms: readonly string[] }[]
  readonly equal: readonly { readonly name: string; readonly equal: readonly string[] }[]
  readonly queries: number
  readonly seeds: readonly { readonly name: string; readonly seeds: number }[]
  readonly steps: readonly PlannedStep[]
  readonly toPrepare: readonly string[]
  readonly toAsk?: Estimate
}

export function renderPlan(plan: PlanSummary): string {
  const { experiment, trials, queries, steps, toPrepare } = plan
  const total = steps.reduce((sum, { count }) => sum + count, 0)
  const more = plan.seeds.reduce((sum, { seeds }) => sum + seeds - 1, 0)
  const without = (trials + more) * queries
  const lines = [
    `${experiment}: ${counted(trials, 'trial')}, ${counted(queries, 'query')}`,
    ...equalLines(plan),
    ...seedLines(plan),
    ...plan.routers.map(
      ({ name, arms }) =>
        `${name}: computed after the run from ${arms.join(', ')}; costs as much as all of these together`,
    ),
    '',
    'step                                         distinct      computed',
    ...tree(steps),
    `${'in all'.padEnd(44)}${''.padStart(9)}${number(total).padStart(14)}`,
    '',
    `${number(without)} (trial, query) pairs share ${number(total)} computations`,
    toPrepare.length > 0 ? `to prepare: ${[...new Set(toPrepare)].join(', ')}` : 'everything is prepared',
    ...embeddingLines(plan),
    ...(plan.toAsk ? callLines(plan.toAsk) : []),
  ]
  if (steps.some(({ exact }) => !exact))
    lines.push('<= an upper bound: the queries decide (a fallback, a route)')
  return lines.join('\n')
}

function seedLines({ seeds }: PlanSummary): string[] {
  if (seeds.length === 0) return []
  const names = seeds.slice(0, 5).map(({ name, seeds }) => `${name} (${number(seeds)})`)
  const others = seeds.length > names.length ? `, ${number(seeds.length - names.length)} more` : ''
  return [`means over several seeds: ${names.join(', ')}${others}`]
}

function equalLines({ trials, named, equal }: PlanSummary): string[] {
  if (named === trials) return []
  return [
    `the config has ${counted(named, 'trial')}, with ${counted(named - trials, 'duplicate')}:`,
    ...equal.map(({ name, equal: others }) => `  ${name} = ${others.join(' = ')}`),
  ]
}

function tree(steps: readonly PlannedStep[], prefix: readonly string[] = []): string[] {
  const lines: string[] = []
  const heads = new Set(
    steps.filter(({ path }) => startsWith(path, prefix)).map(({ path }) => path[prefix.length]),
  )
  for (const head of heads) {
    if (head === undefined) continue
    const path = [...prefix, head]
    const stepHere = steps.find((step) => step.path.length === path.length && startsWith(step.path, path))
    const label = `${'  '.repeat(prefix.length)}${head}`.padEnd(44)
    const count = stepHere ? `${stepHere.exact ? '' : '<= '}${number(stepHere.count)}` : ''
    lines.push(`${label}${String(stepHere?.distinct ?? '').padStart(9)}${count.padStart(14)}`)
    lines.push(...tree(steps, path))
  }
  return lines
}

function startsWith(path: readonly string[], prefix: readonly string[]): boolean {
  return prefix.every((name, index) => path[index] === name)
}

function number(value: number): string {
  return value.toLocaleString('en')
}

function counted(count: number, noun: string): string {
  const plural = noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`
  return `${number(count)} ${count === 1 ? noun : plural}`
}
