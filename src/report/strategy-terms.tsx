import type { Definition } from '../registry.ts'
import type { Summary, TrialSummary } from '../results/summary.ts'
import { strategies } from '../retrieve/strategies/index.ts'
import type { Board } from './board.ts'
import { valueText } from './grid-params.ts'
import { joined, say } from './words.tsx'

/** Definitions that the strategies' names open; custom strategies have none of their own. */
export async function strategyDefinitions({ strategies: names }: Board, { trials }: Summary) {
  const definitions = new Map(
    (await strategies.load(names)).map((definition) => [definition.name, definition]),
  )
  return names.map((strategy, at) => {
    const definition = definitions.get(strategy)
    const lines = variedIn(
      trials.filter((trial) => trial.strategy === strategy),
      definition,
    )
    return (
      <div popover class="definition" id={`strategy-${at}`}>
        <b>
          <bdi>{strategy}</bdi>.
        </b>{' '}
        {definition
          ? `${definition.summary[0].toUpperCase()}${definition.summary.slice(1)}.`
          : 'Custom code.'}
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

/** Params that differ between trials, each with its values and its description. */
function variedIn(trials: readonly TrialSummary[], definition: Definition | undefined) {
  const names = [...new Set(trials.flatMap(({ varied }) => Object.keys(varied)))]
  return names.map((name) => {
    const { description } = (definition?.params.shape[name] ?? {}) as { description?: string }
    const values = trials.flatMap(({ varied }) => (name in varied ? [valueText(varied[name])] : []))
    return say`${<code>{name}</code>} = ${joined([...new Set(values)])}${description && ` (${description})`}`
  })
}
