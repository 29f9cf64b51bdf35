import { embedders } from '../models/embedders/index.ts'
import type { Definition, LazyRegistry } from '../registry.ts'
import type { TrialSummary } from '../results/summary.ts'
import { strategies } from '../retrieve/strategies/index.ts'
import { queryTransforms, rankingTransforms } from '../retrieve/transforms/index.ts'
import type { Json } from '../types.ts'
import { type Html, html } from './html.ts'
import type { Leaderboard } from './leaderboard-rows.ts'
import { plural } from './numbers.ts'

/** Definitions of an experiment's strategies and transforms, by name. Custom ones are absent. */
type Definitions = ReadonlyMap<string, Definition>

/** Transforms of the query, or of the ranking. */
type Place = 'before' | 'after'

const idOf = (all: readonly string[], strategy: string) => `strategy-${all.indexOf(strategy)}`

/** A strategy that opens its description, shown as `text`; `all` are the page's strategies. */
export function strategyTerm(all: readonly string[], strategy: string, text: string): Html {
  return html`<button type="button" class="term" popovertarget="${idOf(all, strategy)}">${text}</button>`
}

/** Descriptions that `strategyTerm` opens: what the strategy does, and what its trials vary. */
export async function strategyDefinitions({ strategies: all, one }: Leaderboard): Promise<Html> {
  const trials = one?.trials ?? []
  const load = async (registry: LazyRegistry<Definition>, names: readonly string[]) =>
    (await registry.load(names)).map((definition) => [definition.name, definition] as const)
  const known: Definitions = new Map(await load(strategies, all))
  const used = (place: Place) => trials.flatMap((trial) => trial[place].map(nameOf))
  const transforms: Readonly<Record<Place, Definitions>> = {
    before: new Map(await load(queryTransforms, used('before'))),
    after: new Map(await load(rankingTransforms, used('after'))),
  }
  return html`${all.map((strategy) => {
    const own = trials.filter((trial) => trial.strategy === strategy)
    const definition = known.get(strategy)
    const summary = definition ? sentence(definition.summary) : 'Custom code.'
    const variants = (trial: TrialSummary) => (one?.indexes[trial.variant]?.prepare ?? null) as Json
    const lines = [
      ...variedIn(own, definition, variants),
      ...transformsOf(own, 'before', transforms),
      ...transformsOf(own, 'after', transforms),
    ]
    return html`<div popover class="definition" id="${idOf(all, strategy)}"><b><bdi>${strategy}</bdi>.</b> ${summary}${lines.length > 0 ? html` In this experiment:<ul>${lines.map((line) => html`<li>${line}.</li>`)}</ul>` : null}</div>\n`
  })}`
}

/** Params that differ between trials, each with its values and its description. */
function variedIn(
  trials: readonly TrialSummary[],
  definition: Definition | undefined,
  prepared: (trial: TrialSummary) => Json,
): Html[] {
  const names = [...new Set(trials.flatMap(({ varied }) => Object.keys(varied)))]
  return names.map((name) => {
    const byValue = new Map(
      trials.flatMap((trial) => (name in trial.varied ? [[shown(trial.varied[name]), trial]] : [])) as [
        string,
        TrialSummary,
      ][],
    )
    const described = (definition?.params.shape[name] as { description?: string } | undefined)?.description
    const values = [...byValue].map(([value, trial], at) => {
      const choice = name === 'embedder' ? nameOf((prepared(trial) as Record<string, Json>)?.embedder) : ''
      const about = embedders.byName.get(choice)?.summary
      return html`${at > 0 ? ', ' : null}${value}${about ? ` (${about})` : null}`
    })
    return html`<code>${name}</code> = ${values}${described ? ` (${described})` : null}`
  })
}

/** Transforms, each with its description and the number of trials that use it. */
function transformsOf(
  trials: readonly TrialSummary[],
  place: Place,
  known: Readonly<Record<Place, Definitions>>,
): Html[] {
  const users = new Map<string, number>()
  for (const trial of trials)
    for (const name of new Set(trial[place].map(nameOf))) users.set(name, (users.get(name) ?? 0) + 1)
  return [...users].map(
    ([name, count]) =>
      html`<code>${name}</code>${count < trials.length ? ` in ${count} of ${plural(trials.length, 'trial')}` : null}: ${known[place].get(name)?.summary ?? 'custom code'}`,
  )
}

/** Name of a choice, which is a name or `{name: params}`. */
const nameOf = (choice: Json | undefined): string =>
  typeof choice === 'object' && choice !== null ? (Object.keys(choice)[0] ?? '') : String(choice ?? '')

const shown = (value: Json) => (typeof value === 'string' ? value : JSON.stringify(value))

const sentence = (text: string) => `${text[0].toUpperCase()}${text.slice(1)}.`
