import type { ComponentChildren } from 'preact'
import { policyOf, readAssets } from './assets.ts'
import { compileChart } from './charts/chart.ts'
import type { Block } from './detail/encode.ts'
import { Glossary } from './glossary.tsx'
import { rendered, scriptJson, trusted } from './markup.ts'
import type { PageSection } from './sections/section.tsx'

interface PageParts {
  readonly title: string
  readonly subtitle: ComponentChildren
  readonly notice: string
  readonly sections: readonly PageSection[]
  readonly definitions: ComponentChildren
  /** For the page's script. */
  readonly meta: Readonly<Record<string, unknown>>
  readonly blocks: Readonly<Record<string, Block>>
  /** Address of the list of experiments, if served. */
  readonly home?: string | undefined
}

/** Views in order: a title and its sections. The first section that no earlier view has gives the id. */
const VIEWS: readonly (readonly [title: string, ...sections: readonly string[]])[] = [
  ['Overview', 'verdict', 'limits'],
  ['Leaderboard', 'leaderboard'],
  ['Trade-offs', 'cost', 'reading'],
  ['Parameters', 'grid'],
  ['Queries', 'queries', 'differences'],
  ['Categories', 'categories'],
  ['Lost gold', 'lost', 'advice'],
  ['Answers', 'answers'],
  ['Statistics', 'comparison', 'limits'],
  ['Details', 'health', 'router', 'graph'],
  ['Datasets', 'datasets'],
  ['Provenance', 'provenance'],
]

interface View {
  readonly id: string
  readonly title: string
  readonly sections: readonly string[]
}

/** Throws if a section is in no view. */
function viewsOf(sections: readonly PageSection[]): View[] {
  const ids = sections.map(({ id }) => id)
  const lost = ids.filter((id) => !VIEWS.some(([, ...listed]) => listed.includes(id)))
  if (lost.length > 0) throw new Error(`in no view: ${lost.join(', ')}`)
  const views: View[] = []
  for (const [title, ...listed] of VIEWS) {
    const present = listed.filter((id) => ids.includes(id))
    const id = present.find((section) => !views.some((view) => view.sections.includes(section)))
    if (id) views.push({ id, title, sections: present })
  }
  return views
}

export function shell({
  title,
  subtitle,
  notice,
  sections,
  definitions,
  meta,
  blocks,
  home,
}: PageParts): string {
  const assets = readAssets()
  const views = viewsOf(sections)
  const viewIds = (section: string) =>
    views
      .filter((view) => view.sections.includes(section))
      .map(({ id }) => id)
      .join(' ')
  const charts = sections.flatMap(({ charts }) => charts.map((chart) => [chart.id, compileChart(chart)]))
  const metas = [meta, ...sections.map(({ meta }) => meta), { charts: Object.fromEntries(charts) }]
  return `<!doctype html>\n${rendered(
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="generator" content="Touchstone" />
        <meta http-equiv="Content-Security-Policy" content={policyOf(assets)} />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="referrer" content="no-referrer" />
        <title>{`${title} · Touchstone report`}</title>
        <link rel="icon" href="data:," />
        <style {...trusted(assets.style)} />
      </head>
      <body>
        <a class="skip" href="#main">
          To the content
        </a>
        <header>
          <p class="kind">
            {home !== undefined && [<a href={home}>All experiments</a>, ' · ']}
            Touchstone report
          </p>
          <h1>{title}</h1>
          <p class="subtitle">{subtitle}</p>
        </header>
        <nav aria-label="Views">
          <ol>
            {views.map(({ id, title }) => (
              <li>
                <a href={`#${id}`}>{title}</a>
              </li>
            ))}
          </ol>
        </nav>
        <main id="main">
          <noscript>
            <p class="warning">{notice}</p>
          </noscript>
          {sections.map(({ id, title, body }) => (
            <section id={id} data-view={viewIds(id)} aria-labelledby={`${id}-title`}>
              <h2 id={`${id}-title`}>{title}</h2>
              {body}
            </section>
          ))}
          <Glossary />
          {definitions}
        </main>
        <script type="application/json" id="meta" {...trusted(scriptJson(Object.assign({}, ...metas)))} />
        {Object.entries(blocks).map(([name, { base64, type }]) => (
          <script type="text/plain" id={`block-${name}`} data-type={type} {...trusted(base64)} />
        ))}
        <script {...trusted(assets.script)} />
      </body>
    </html>,
  )}\n`
}
