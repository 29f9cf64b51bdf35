import {
  ARMS,
  armOf,
  code,
  EMBEDDERS,
  type GainTable,
  gainCell,
  gapsOf,
  percent,
  points,
  SETS,
  signOf,
  table,
} from './gains.ts'

/** Text of docs/evidence/graphs.md. */
export function graphsPage(tables: readonly GainTable[]): string {
  const sections = SETS.flatMap(({ dataset, title = dataset, note }) => {
    const own = tables.filter((one) => one.dataset === dataset)
    if (own.length === 0) return []
    return [[`## ${title}`, ...(note === undefined ? [] : [note]), ...own.map(tableOf)].join('\n\n')]
  })
  return `# The value of a graph

This page compares each graph strategy with its own dense search, which uses no graph: \`naive\`, or \`hybrid\` for \`title-ppr\`. Gains are points of recall@5.
The 95 % intervals hold jointly for one table, and **bold** gains are significant. Each column is a graph by an [extractor](../corpus.md#graphs): \`openie\` are triples of
a language model that came with the data, \`qwen\` those of a 0.5B model, \`ner\` are entities of a [trained NER](ner.md), and \`none\` needs no extractor. All others are built
without a model; \`structure\` is for texts with headings. Communities are Leiden's, and reports are extractive. Strategies have their defaults; \`linearrag\` reads only
entities. The named embedder embeds passages and questions; texts of
graphs are embedded by \`lsa\`, those of \`openie\` by the named one. \`npx tsx scripts/graphs/worth.ts\`
writes this page from experiments of [configs/graphs.yaml](../../configs/graphs.yaml) and keeps their figures in \`graphs.json\`. [Tables and rows
that are missing](#not-measured) are listed at the end.

## In short

Mean gain over the sets, and the number of sets with a significant gain or loss. Do not compare two means of a row that are over different numbers of sets:

${overview(tables)}

${disagreement(tables)}

${sections.join('\n\n')}

## Not measured

${gapsOf(tables)
  .map((gap) => `- ${gap}.`)
  .join('\n')}
- \`drift\` and \`lazy-graphrag\`, which use a graph too: [deviations](../deviations.md) has their figures.
- Extraction of our own by a larger model, or over more than 95 passages: a 1.5B model would take about 30 seconds a passage on two cores.

## Published gains

Recall@5 of passages from the HippoRAG 2 paper ([arXiv 2502.14802](https://arxiv.org/abs/2502.14802)), without and with the system. Do not compare them with the figures above:
the paper has larger corpora, a graph by a large language model, and stronger vectors.

| system | vectors | graph | MuSiQue | 2Wiki | HotpotQA |
|---|---|---|---|---|---|
| HippoRAG 2 (Gutiérrez et al., 2025) | NV-Embed-v2 | OpenIE by Llama 3.3 70B | 69.7 to 74.7 | 76.5 to 90.4 | 94.5 to 96.3 |
| HippoRAG 1, by the authors of HippoRAG 2 | NV-Embed-v2 | the same | 69.7 to 53.2 | 76.5 to 90.4 | 94.5 to 77.3 |
`
}

function tableOf({ embedder, arms, gains, primary, queries }: GainTable): string {
  const graphs = [...new Set(gains.map(({ graph }) => graph))].sort(
    (a, b) => Number(a === 'none') - Number(b === 'none'),
  )
  const strategies = [...new Set(gains.map(({ strategy }) => strategy))].sort()
  const means = Object.entries(arms).map(([name, mean]) => `${code(name)} ${percent(mean)}`)
  const rows = strategies.map((strategy) => [
    strategy in ARMS ? `${strategy}, over ${code(armOf(strategy))}` : strategy,
    ...graphs.map((graph) => gainCell(gains.find((one) => one.strategy === strategy && one.graph === graph))),
  ])
  return `Vectors of ${embedder}; ${primary} without a graph: ${means.join(', ')}, ${queries} queries.

${table(['strategy', ...graphs.map(code)], rows)}`
}

/** Tables of an embedder where a strategy gains or loses clearly over some graph. */
function overview(tables: readonly GainTable[]): string {
  const pairs = [
    ...new Set(tables.flatMap(({ gains }) => gains.map(({ strategy, graph }) => `${strategy} | ${graph}`))),
  ].sort()
  const rows = pairs.map((pair) => {
    const [strategy, graph] = pair.split(' | ')
    const cells = EMBEDDERS.map((embedder) => {
      const own = tables
        .filter((one) => one.embedder === embedder)
        .flatMap(({ gains }) => gains.filter((one) => one.strategy === strategy && one.graph === graph))
      if (own.length === 0) return ''
      const mean = own.reduce((sum, { difference }) => sum + difference, 0) / own.length
      const [gained, lost] = [1, -1].map((sign) => own.filter((one) => signOf(one) === sign).length)
      return `${points(mean)} (${gained} better, ${lost} worse of ${own.length})`
    })
    return [strategy, code(graph), ...cells]
  })
  return table(['strategy', 'graph', ...EMBEDDERS], rows)
}

/** Largest difference of equal means whose parts were rounded to tenths of a point. */
const ROUNDED = 0.0021

/**
 * Gains that one trained embedder tells from zero and the other does not, or the other way round. A strategy that reads texts of
 * the graph alone ranks alike with both: there only the arm differs.
 */
function disagreement(tables: readonly GainTable[]): string {
  const [a, b] = EMBEDDERS.slice(1)
  const compared = SETS.flatMap(({ dataset }) => {
    const [one, other] = [a, b].map((embedder) =>
      tables.find((own) => own.dataset === dataset && own.embedder === embedder),
    )
    if (!one || !other) return []
    return one.gains.flatMap((gain) => {
      const { strategy, graph } = gain
      const second = other.gains.find((own) => own.strategy === strategy && own.graph === graph)
      if (!second) return []
      const arm = armOf(strategy)
      const apart = one.arms[arm] + gain.difference - other.arms[arm] - second.difference
      return [{ dataset, gain, second, alike: Math.abs(apart) < ROUNDED }]
    })
  })
  const names = [...new Set(compared.map(({ gain }) => gain.strategy))].sort()
  const alike = names.filter((name) => {
    const own = compared.filter(({ gain }) => gain.strategy === name)
    return 2 * own.filter((one) => one.alike).length > own.length
  })
  const moved = compared.filter((one) => !one.alike || !alike.includes(one.gain.strategy))
  const turned = moved.filter(({ gain, second }) => signOf(gain) !== signOf(second))
  return `${alike.map(code).join(', ')} rank by texts of the graph, so their rankings are mostly equal with both trained embedders. Only the
dense search that they are compared with differs. Of the ${moved.length} other pairs of a strategy and a graph, ${turned.length} have another verdict with bge-small than with MiniLM:

${table(
  ['set', 'strategy', 'graph', a, b],
  turned.map(({ dataset, gain, second }) => [
    ...[dataset, gain.strategy, code(gain.graph)],
    ...[gainCell(gain), gainCell(second)],
  ]),
)}`
}
