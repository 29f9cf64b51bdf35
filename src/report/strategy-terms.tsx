import { embedders } from '../models/embedders/index.ts'
import type { Definition, LazyRegistry } from '../registry.ts'
import type { Summary, TrialSummary } from '../results/summary.ts'
import { strategies } from '../retrieve/strategies/index.ts'
import { queryTransforms, rankingTransforms } from '../retrieve/transforms/index.ts'
import type { Json } from '../types.ts'
import type { Board } from './board.ts'
import { plural } from './numbers.ts'
import { joined, say } from './words.tsx'

/** Custom ones are absent. */
type Definitions = ReadonlyMap<string, Definition>

type Place = 'before' | 'after'

/** Definitions that the strategies' names open. */
export async function strategyDefinitions({ strategies: all }: Board, { trials, indexes }: Summary) {
  const load = async (registry: LazyRegistry<Definition>, names: readonly string[]) =>
    (await registry.load(names)).map((definition) => [definition.name, definition] as const)
  const known: Definitions = new Map(await load(strategies, all))
  await embedders.load(indexes.map(({ prepare }) => nameOf((prepare as Record<string, Json>).embedder)))
  const used = (place: Place) => trials.flatMap((trial) => trial[place].map(nameOf))
  const transforms: Readonly<Record<Place, Definitions>> = {
    before: new Map(await load(queryTransforms, used('before'))),
    after: new Map(await load(rankingTransforms, used('after'))),
  }
  return all.map((strategy, at) => {
    const own = trials.filter((trial) => trial.strategy === strategy)
    const definition = known.get(strategy)
    const variants = (trial: TrialSummary) => (indexes[trial.variant]?.prepare ?? null) as Json
    const lines = [
      ...variedIn(own, definition, variants),
      ...transformsOf(own, 'before', transforms),
      ...transformsOf(own, 'after', transforms),
    ]
    return (
      <div popover class="definition" id={`strategy-${at}`}>
        <b>
          <bdi>{strategy}</bdi>.
        </b>{' '}
        {definition ? sentence(definition.summary) : 'Custom code.'}
        {lines.length > 0 && ' In this experiment:'}
        {lines.length > 0 && (
          <ul>
            {lines.map((line) => (
              <li>{line}.</li>
            ))}
          </ul>
        )}
      </div>
    )
  })
}

function variedIn(
  trials: readonly TrialSummary[],
  definition: Definition | undefined,
  prepared: (trial: TrialSummary) => Json,
) {
  const names = [...new Set(trials.flatMap(({ varied }) => Object.keys(varied)))]
  return names.map((name) => {
    const byValue = new Map(
      trials.flatMap((trial) => (name in trial.varied ? [[shown(trial.varied[name]), trial]] : [])) as [
        string,
        TrialSummary,
      ][],
    )
    const described = (definition?.params.shape[name] as { description?: string } | undefined)?.description
    const values = [...byValue].map(([value, trial]) => {
      const choice = name === 'embedder' ? nameOf((prepared(trial) as Record<string, Json>)?.embedder) : ''
      const about = embedders.byName.get(choice)?.summary
      return `${value}${about ? ` (${about})` : ''}`
    })
    return say`${<code>{name}</code>} = ${joined(values)}${described && ` (${described})`}`
  })
}

function transformsOf(
  trials: readonly TrialSummary[],
  place: Place,
  known: Readonly<Record<Place, Definitions>>,
) {
  const users = new Map<string, number>()
  for (const trial of trials)
    for (const name of new Set(trial[place].map(nameOf))) users.set(name, (users.get(name) ?? 0) + 1)
  return [...users].map(([name, count]) => {
    const some = count < trials.length && ` in ${count} of ${plural(trials.length, 'trial')}`
    return say`${<code>{name}</code>}${some}: ${known[place].get(name)?.summary ?? 'custom code'}`
  })
}

/** A choice is a name or `{name: params}`. */
const nameOf = (choice: Json | undefined): string =>
  typeof choice === 'object' && choice !== null ? (Object.keys(choice)[0] ?? '') : String(choice ?? '')

const shown = (value: Json) => (typeof value === 'string' ? value : JSON.stringify(value))

const sentence = (text: string) => `${text[0].toUpperCase()}${text.slice(1)}.`
