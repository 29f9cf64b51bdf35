import type { GraphDescription, GraphPart } from '../../results/graphs.ts'
import { placeLabels, placeNodes } from '../graph-layout.ts'
import { graphNames, graphRows } from '../graph-rows.ts'
import { type Html, html } from '../html.ts'
import { plural, quantity } from '../numbers.ts'
import { htmlTable } from '../table.ts'
import type { PageSection } from './section.ts'

/** Pixels of a picture, without its margins, which have space for a label. */
const BOX = { width: 660, height: 400 }
const MARGIN = { left: 110, right: 150, top: 14, bottom: 14 }
/** Most characters of a label. */
const LABEL = 24

/** Section of the graphs that trials read: counts, reach of gold, neighbourhoods as pictures; null without a graph. */
export function graphView(graphs: readonly GraphDescription[]): PageSection | null {
  if (graphs.length === 0) return null
  const parts = graphs.map((graph, at) => {
    const name = graph.extractors.join(', ')
    const table = htmlTable<[string, string]>({
      id: `graph-${at + 1}`,
      caption: html`Graph of ${name}. Neighbours are entities with a relationship. Gold is counted as reached if a chunk with it has an entity within this many relationships of an entity that the query names as whole words${graph.reach.queries > 0 ? html`; n = ${plural(graph.reach.queries, 'query', 'queries')}` : null}.`,
      columns: [
        { head: 'count', left: true, html: ([words]) => words },
        { head: 'value', html: ([, value]) => value, value: ([, value]) => value },
      ],
      rows: graphRows(graph),
    })
    const names = graphNames(graph).map((line) => html`<p>${line[0].toUpperCase()}${line.slice(1)}.</p>`)
    return html`${graphs.length > 1 ? html`<h3>${name}</h3>` : null}${picturesOf(graph)}${table}${names}`
  })
  return { id: 'graph', title: 'Graph', body: html`${parts}`, charts: [] }
}

/** The first picture, and the others behind one line, so that the counts follow the picture. */
function picturesOf({ pictures }: GraphDescription): Html | null {
  const [first, ...others] = pictures
  if (!first) return null
  return html`<p>The entities that a query names, with their neighbours and the shortest way to its gold. Named entities are filled, the gold’s nearest are blue, and blue lines are paths that a strategy walked.</p>
${pictureHtml(first, true)}${
  others.length > 0
    ? html`<details class="network"><summary>${plural(others.length, 'more neighbourhood')}: of queries, then of the entities with most neighbours</summary>
${others.map((picture) => pictureHtml(picture, false))}</details>
`
    : null
}`
}

function pictureHtml(picture: GraphPart, isOpen: boolean): Html {
  const { query, title, omitted, paths } = picture
  const left =
    omitted > 0
      ? html`<p class="about">${plural(omitted, 'more neighbour')} ${omitted === 1 ? 'is' : 'are'} left out.</p>`
      : null
  const walks = paths.map(
    ({ trial, names }) =>
      html`<p class="about">${trial}: ${names.map((path) => path.join(' → ')).join('; ')}</p>`,
  )
  return html`<details class="network"${isOpen ? html` open` : null}><summary>${query === undefined ? 'Entity' : 'Query'}: ${title}</summary>
<div class="scroll" tabindex="0" role="group" aria-label="Neighbourhood of ${title}">${drawing(picture)}</div>${left}${
    walks.length > 1
      ? html`<details><summary>Paths of ${plural(walks.length, 'trial')}</summary>${walks}</details>`
      : walks
  }</details>\n`
}

function drawing(picture: GraphPart): Html {
  const points = placeNodes(picture, BOX).map(({ x, y }) => ({ x: x + MARGIN.left, y: y + MARGIN.top }))
  const at = (place: number) => points[place]
  const names = picture.nodes.map(({ name }) => (name.length > LABEL ? `${name.slice(0, LABEL - 1)}…` : name))
  const [width, height] = [BOX.width + MARGIN.left + MARGIN.right, BOX.height + MARGIN.top + MARGIN.bottom]
  const lines = picture.edges.map(({ ends: [from, to], walked }) => {
    const [a, b] = [at(from), at(to)]
    return html`<line x1="${a.x}" y1="${a.y}" x2="${b.x}" y2="${b.y}"${walked ? html` class="walked"` : null}/>`
  })
  const labels = placeLabels(
    points,
    names.map(({ length }) => length),
    { width, height },
  )
  const nodes = picture.nodes.map(({ name, start, goal }, place) => {
    const { x, y } = at(place)
    const kind = [start ? 'start' : '', goal ? 'goal' : ''].filter(Boolean).join(' ')
    const { dx, dy, anchor } = labels[place]
    return html`<g transform="translate(${x},${y})"${kind ? html` class="${kind}"` : null}><title>${name}</title><circle r="4"/><text x="${dx}" y="${dy}" dy="0.32em" text-anchor="${anchor}">${names[place]}</text></g>`
  })
  return html`<svg width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${quantity(picture.nodes.length)} entities">${lines}${nodes}</svg>`
}
