import type { Results } from '../../results/read.ts'
import { jsonBlock } from '../detail/encode.ts'
import { html } from '../html.ts'
import { leaderboardLatex } from '../leaderboard.ts'
import { plural, quantity } from '../numbers.ts'
import { htmlTable } from '../table.ts'
import type { PageSection } from './section.ts'

/** Section of hashes, configuration, steps and downloads. */
export function provenanceView({ summary, latency, manifest, config, folder }: Results): PageSection {
  const facts: [string, string][] = [
    ['experiment', `${summary.experiment} (folder ${folder})`],
    ['result', manifest.result],
    ['plan', manifest.plan],
    ['config', manifest.config],
    ['dataset', `${summary.dataset.name} ${manifest.dataset}`],
    ...(manifest.downloads ?? []).map(({ name, sources, files }): [string, string] => [
      'downloaded',
      `${name}: ${plural(Object.keys(files).length, 'file')} of ${sources.map(({ repo, commit }) => `${repo}@${commit}`).join(', ')}`,
    ]),
    ...summary.indexes.map(({ name, prepare }): [string, string] => [name, JSON.stringify(prepare)]),
    ...Object.entries(manifest.engines ?? {}).map(([engine, trials]): [string, string] => [
      'engine',
      `${engine}: ${trials.join(', ')}`,
    ]),
    ['touchstone', manifest.version],
    ...Object.entries(manifest.machine),
  ]
  const steps = Object.keys({ ...manifest.steps.planned, ...manifest.steps.computed })
  const body = html`<dl class="facts">${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
<div id="downloads"></div>
<details><summary>Configuration</summary><p>Paths are relative to the experiment’s folder.</p><pre><code>${config}</code></pre></details>
<details><summary>Artifacts and steps</summary>${htmlTable({
    id: 'artifacts',
    caption: html`Keys of all artifacts; equal keys mean equal content.`,
    columns: [
      { head: 'artifact', left: true, html: ([name]: [string, string]) => name },
      { head: 'key', left: true, html: ([, key]) => html`<code>${key}</code>` },
    ],
    rows: Object.entries(manifest.artifacts),
    shown: 30,
  })}${htmlTable({
    id: 'steps',
    caption: html`Computations of each step. ${manifest.steps.exact ? 'Planned exactly.' : 'Some depend on the query, so the planned number is an upper bound.'} Results shared by trials are computed once.`,
    columns: [
      { head: 'step', left: true, html: (name: string) => name },
      { head: 'planned', html: (name) => quantity(manifest.steps.planned[name] ?? 0) },
      { head: 'computed', html: (name) => quantity(manifest.steps.computed[name] ?? 0) },
    ],
    rows: steps,
  })}</details>`
  const blocks = { latex: jsonBlock(leaderboardLatex(summary, latency)) }
  return { id: 'provenance', title: 'Provenance and downloads', body, charts: [], blocks }
}
