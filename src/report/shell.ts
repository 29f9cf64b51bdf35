import { type Assets, hashSource } from './assets.ts'
import { compileChart } from './charts/chart.ts'
import { glossary } from './glossary.ts'
import { embedJson, type Html, html, markup } from './html.ts'
import { GENERATOR } from './page-file.ts'
import type { PageSection } from './views/section.ts'

interface PageParts {
  readonly title: string
  readonly subtitle: Html
  /** Notice for readers without scripts. */
  readonly notice: string
  readonly sections: readonly PageSection[]
  /** Descriptions of the strategies. */
  readonly definitions: Html
  /** Metadata for the page's script, next to the compiled charts. */
  readonly meta: Readonly<Record<string, unknown>>
  /** Script elements with data blocks. */
  readonly blocks: readonly Html[]
  readonly assets: Assets
  /** Address of the list of experiments, if a server has one. */
  readonly home?: string | undefined
}

/** Views in the order of the contents: a title, and the sections that it shows. A view without sections is left out. */
const VIEWS: readonly (readonly [title: string, ...sections: readonly string[]])[] = [
  ['Overview', 'verdict'],
  ['Leaderboard', 'leaderboard'],
  ['Trade-offs', 'cost'],
  ['Parameters', 'grid'],
  ['Queries', 'queries', 'differences'],
  ['Categories', 'categories'],
  ['Lost gold', 'lost', 'advice'],
  ['Answers', 'answers'],
  ['Statistics', 'limits', 'comparison'],
  ['Data health', 'health'],
  ['Router', 'router'],
  ['Graph', 'graph'],
  ['Datasets', 'datasets'],
  ['Provenance', 'provenance'],
]

interface View {
  /** Id of its first section, which links name. */
  readonly id: string
  readonly title: string
  readonly sections: readonly PageSection[]
}

/** Sections by view. Throws if a section is in no view. */
function viewsOf(sections: readonly PageSection[]): View[] {
  const lost = sections.filter(({ id }) => !VIEWS.some(([, ...ids]) => ids.includes(id)))
  if (lost.length > 0) throw new Error(`in no view: ${lost.map(({ id }) => id).join(', ')}`)
  return VIEWS.flatMap(([title, ...ids]) => {
    const own = ids.flatMap((id) => sections.filter((section) => section.id === id))
    return own.length > 0 ? [{ id: own[0].id, title, sections: own }] : []
  })
}

/** Content-Security-Policy of a page with these inline parts. */
export function policyOf({ scripts, style }: Assets): string {
  return `default-src 'none'; script-src ${scripts.map(hashSource).join(' ')}; style-src ${hashSource(style)}; img-src data:; base-uri 'none'; form-action 'none'`
}

/** Wraps sections into one HTML file with inline style and scripts, which makes no request. */
export function shell({
  title,
  subtitle,
  notice,
  sections,
  definitions,
  meta,
  blocks,
  assets,
  home,
}: PageParts): string {
  const views = viewsOf(sections)
  const charts = Object.fromEntries(
    sections.flatMap(({ charts }) => charts.map((chart) => [chart.id, compileChart(chart)])),
  )
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
${markup(GENERATOR)}
<meta http-equiv="Content-Security-Policy" content="${policyOf(assets)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${title} · Touchstone report</title>
<link rel="icon" href="data:,">
<style>${markup(assets.style)}</style>
</head>
<body>
<a class="skip" href="#main">To the content</a>
<header><p class="kind">${home === undefined ? null : html`<a href="${home}">All experiments</a> · `}Touchstone report</p><h1>${title}</h1>
<p class="subtitle">${subtitle} <span id="copy-link"></span></p></header>
<nav aria-label="Views"><ol>${views.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}</ol></nav>
<main id="main">
<noscript><p class="warning">${notice}</p></noscript>
${views.map((view) => view.sections.map(({ id, title, body }) => html`<section id="${id}" data-view="${view.id}" aria-labelledby="${id}-title">\n<h2 id="${id}-title">${title}</h2>\n${body}\n</section>\n`))}
${glossary()}${definitions}</main>
<script type="application/json" id="meta">${embedJson({ ...meta, charts })}</script>
${blocks}
${assets.scripts.map((script) => html`<script>${markup(script)}</script>\n`)}
</body>
</html>
`.markup
}
