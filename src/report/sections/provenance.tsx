import { parseDocument } from 'yaml'
import { Facts, htmlTable } from '../components/html-table.tsx'
import { plural } from '../numbers.ts'
import { licenceOf } from '../references.ts'
import type { PageData, PageSection } from './section.tsx'

export function provenanceSection({ summary, manifest, config, folder }: PageData): PageSection {
  const facts: [string, string][] = [
    ['experiment', `${summary.experiment} (folder ${folder})`],
    ['result', manifest.result],
    ['plan', manifest.plan],
    ['config', manifest.config],
    ...(manifest.downloads ?? []).map(({ name, sources, files }): [string, string] => [
      'downloaded',
      `${name}: ${plural(Object.keys(files).length, 'file')} of ${sources.map(({ repo, commit }) => `${repo}@${commit}`).join(', ')}`,
    ]),
    ...summary.indexes.map(({ name, prepare }): [string, string] => [name, JSON.stringify(prepare)]),
    ...Object.entries(manifest.engines ?? {}).map(([engine, trials]): [string, string] => [
      'engine',
      `${engine}: ${trials.join(', ')}`,
    ]),
    ...Object.entries(manifest.machine),
  ]
  const [dataset] = summary.datasets
  const { name } = dataset
  // At any depth: short form, options of a format, or one of several datasets.
  const [, split] = /"split":"(\w+)"/.exec(JSON.stringify(parseDocument(config).get('dataset'))) ?? []
  const cited: [string, string][] = [
    [
      'data',
      `${name}, ${plural(dataset.documents, 'document')}, ${plural(dataset.queries, 'query', 'queries')}, SHA-256 ${manifest.dataset}`,
    ],
    ['licence', licenceOf(name) || 'not recorded: see where the data comes from'],
    ['split', split ?? 'none: all queries of the data set'],
    ['versions', `Touchstone ${manifest.version}, Node ${manifest.machine.node ?? ''}`],
    [
      'command',
      'npx touchstone run CONFIG, with the configuration below; equal inputs give the result hash below',
    ],
    ['references', `touchstone leaderboard ${folder} --format bibtex`],
  ]
  const { planned, exact } = manifest.steps
  const artifacts = htmlTable<readonly [name: string, key: string]>({
    id: 'artifacts',
    caption: 'Keys of all artifacts; equal keys mean equal content.',
    columns: [
      { head: 'artifact', left: true, html: ([name]) => name },
      { head: 'key', left: true, html: ([, key]) => <code>{key}</code> },
    ],
    rows: Object.entries(manifest.artifacts),
    shown: 30,
  })
  const steps = htmlTable<readonly [step: string, planned: number]>({
    id: 'steps',
    caption: `Computations of each step${exact ? '' : ', at most: some depend on the query'}. Results shared by trials are computed once.`,
    columns: [
      { head: 'step', left: true, html: ([step]) => step },
      { head: 'computations', value: ([, planned]) => planned },
    ],
    rows: Object.entries(planned),
  })
  const body = (
    <>
      <h3>How to cite and reproduce</h3>
      <Facts rows={cited} />
      <h3>Hashes and machine</h3>
      <Facts rows={facts} />
      <div id="downloads" />
      <details>
        <summary>Configuration</summary>
        <p>Paths are relative to the experiment’s folder.</p>
        <pre>
          <code>{config}</code>
        </pre>
      </details>
      <details>
        <summary>Artifacts and steps</summary>
        {artifacts}
        {steps}
      </details>
    </>
  )
  return { id: 'provenance', title: 'Provenance and downloads', body, charts: [] }
}
