import type { Latency } from '../../results/latency.ts'
import type { Summary } from '../../results/summary.ts'
import { adviceOn } from '../advice.ts'
import { html } from '../html.ts'
import type { PageSection } from './section.ts'

/** What one would try next on the best trial; null where nothing stands out. */
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
  const body = html`<p>Of <bdi>${best.name}</bdi>, by rules of thumb. Whether it helps is for the next run to say.</p>
<ul class="findings">${items}</ul>`
  return { id: 'advice', title: 'What to try next', body, charts: [] }
}
