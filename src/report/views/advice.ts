import type { Latency } from '../../results/latency.ts'
import type { Summary } from '../../results/summary.ts'
import { adviceOn } from '../advice.ts'
import { html } from '../html.ts'
import type { PageSection } from './section.ts'

/** Section of heuristic suggestions for the best trial; null if no rule applies. */
export function adviceView(
  summary: Summary,
  latency: Latency | null,
  chosen: readonly number[],
): PageSection | null {
  const best = summary.trials[chosen[0] ?? -1]
  const advice = best ? adviceOn(best, summary, latency) : []
  if (advice.length === 0) return null
  const items = advice.map(
    ({ observed, likely, next }) => html`<li>${observed}. Likely: ${likely}. Try: ${next}.</li>\n`,
  )
  const body = html`<p>Heuristic suggestions for <bdi>${best.name}</bdi>; verify them with another run.</p>
<ul class="findings">${items}</ul>`
  return { id: 'advice', title: 'What to try next', body, charts: [] }
}
