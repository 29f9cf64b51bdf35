import { writeFileSync } from 'node:fs'
import {
  ARMS,
  armOf,
  code,
  EMBEDDERS,
  gainCell,
  gainsOf,
  merge,
  percent,
  points,
  readGains,
  SETS,
  signOf,
  table,
} from './gains.ts'

/**
 * Writes docs/evidence/graphs.md from experiments of configs/graphs.yaml: one or more for each pair of a data set and an embedder, which
 * differ in their graphs.
 *
 *     npx tsx scripts/graphs/worth.ts experiments/graphs/*
 *
 * Each gain is a strategy's mean minus that of its own dense arm on the same queries. All gains of a table are one family:
 * intervals hold together.
 */
const folders = process.argv.slice(2)
if (folders.length === 0) throw new Error('name the folders of experiments')

const all = await Promise.all(folders.map(readGains))
const tables = SETS.flatMap((dataset) =>
  EMBEDDERS.flatMap((embedder) => {
    const own = all.filter((one) => one.dataset === dataset && one.embedder === embedder)
    if (own.length === 0) return []
    const merged = merge(own)
    return [{ ...merged, gains: gainsOf(merged) }]
  }),
)
const lost = all.filter(
  ({ dataset, embedder }) => !tables.some((one) => one.dataset === dataset && one.embedder === embedder),
)
if (lost.length > 0)
  throw new Error(`no place for ${lost.map(({ dataset, embedder }) => `${dataset} with ${embedder}`)}`)
type Table = (typeof tables)[number]

function tableOf({ embedder, values, gains, primary }: Table): string {
  const graphs = [...new Set(gains.map(({ graph }) => graph))].sort(
    (a, b) => Number(a === 'none') - Number(b === 'none'),
  )
  const strategies = [...new Set(gains.map(({ strategy }) => strategy))].sort()
  const mean = (name: string) =>
    percent(values[name].reduce((sum, one) => sum + one, 0) / values[name].length)
  const arms = ['naive', 'hybrid']
    .filter((name) => name in values)
    .map((name) => `${code(name)} ${mean(name)}`)
  const rows = strategies.map((strategy) => [
    strategy in ARMS ? `${strategy}, over ${code(armOf(strategy))}` : strategy,
    ...graphs.map((graph) => gainCell(gains.find((one) => one.strategy === strategy && one.graph === graph))),
  ])
  return `Vectors of ${embedder}; ${primary} without a graph: ${arms.join(', ')}, ${values.naive.length} queries.

${table(['strategy', ...graphs.map(code)], rows)}`
}

/** Tables of an embedder where a strategy gains or loses clearly over some graph. */
function overview(): string {
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

/**
 * Gains that one trained embedder tells from zero and the other does not, or the other way round. A strategy that reads texts of
 * the graph alone ranks alike with both: there only the arm differs.
 */
function disagreement(): string {
  const [a, b] = EMBEDDERS.slice(1)
  const pairs = SETS.flatMap((dataset) => {
    const own = [a, b].map((embedder) =>
      tables.find((one) => one.dataset === dataset && one.embedder === embedder),
    )
    return own[0] && own[1] ? [{ one: own[0], other: own[1] }] : []
  })
  const compared = pairs.flatMap(({ one, other }) =>
    one.gains.flatMap((gain) => {
      const { strategy, graph } = gain
      const second = other.gains.find((own) => own.strategy === strategy && own.graph === graph)
      if (!second) return []
      const [row, theirs] = [one, other].map(({ values }) => values[`${strategy} | ${graph}`].join())
      return [{ dataset: one.dataset, gain, second, alike: row === theirs }]
    }),
  )
  const alike = [...new Set(compared.filter((one) => one.alike).map(({ gain }) => gain.strategy))].sort()
  const moved = compared.filter((one) => !one.alike)
  const turned = moved.filter(({ gain, second }) => signOf(gain) !== signOf(second))
  return `${alike.map(code).join(', ')} rank by texts of the graph, so their rankings are equal with both trained embedders. Only the
dense search that they are compared with differs. Of the ${moved.length} other pairs of a strategy and a graph, ${turned.length} have another verdict with bge-small than with MiniLM:

${table(
  ['set', 'strategy', 'graph', a, b],
  turned.map(({ dataset, gain, second }) => [
    ...[dataset, gain.strategy, code(gain.graph)],
    ...[gainCell(gain), gainCell(second)],
  ]),
)}`
}

const missing = SETS.flatMap((dataset) => {
  const lacked = EMBEDDERS.filter(
    (embedder) => !tables.some((one) => one.dataset === dataset && one.embedder === embedder),
  )
  if (lacked.length === EMBEDDERS.length) return [dataset]
  return lacked.map((embedder) => `${dataset} with ${embedder}`)
})
const openie = tables.some(
  ({ embedder, gains }) => embedder !== 'lsa' && gains.some(({ graph }) => graph === 'openie'),
)
const sections = SETS.flatMap((dataset) => {
  const own = tables.filter((one) => one.dataset === dataset)
  return own.length === 0 ? [] : [`## ${dataset}\n\n${own.map(tableOf).join('\n\n')}`]
})

writeFileSync(
  new URL('../../docs/evidence/graphs.md', import.meta.url),
  `# The value of a graph

This page compares each graph strategy with its own dense search, which reads no graph: \`naive\`, or \`hybrid\` for \`title-ppr\`. Gains are points of recall@5.
The 95 % intervals hold together for one table, and **bold** gains are significant. Each column is a graph by an [extractor](../corpus.md#graphs): \`openie\` are triples of
a language model that came with the data, \`ner\` are entities of a [trained NER](ner.md), and \`none\` needs no extractor. All others are built
without a model. Communities are Leiden's, and reports are extractive. Strategies have their defaults; \`linearrag\` reads only
entities. The named embedder embeds passages and questions; texts of
graphs are embedded by \`lsa\`${openie ? ', those of `openie` by the named one' : ''}. \`npx tsx scripts/graphs/worth.ts\`
writes this page from experiments of [configs/graphs.yaml](../../configs/graphs.yaml).${missing.length > 0 ? ` Not measured: ${missing.join(', ')}.` : ''} Not shown: a graph
extracted by a model on these sets, which takes a model hours for each; [roles](roles.md#effect) has extraction by a 0.5B model on 15 passages of the world
guilds (\`hipporag\` +6.7 [−13.0, +26.3], \`lightrag\` 0.0 against \`rules\`). Not shown either: \`structure\`, whose entities are sections, on a set with
headings; [corpus](../corpus.md#typed-relations) measures it with \`graph-boost\` on srd52.

## In short

Mean gain over the sets, and the number of sets with a significant gain or loss:

${overview()}

${disagreement()}

${sections.join('\n\n')}

## Published gains

Recall@5 of passages from the HippoRAG 2 paper ([arXiv 2502.14802](https://arxiv.org/abs/2502.14802)), without and with the system. Do not compare them with the figures above:
the paper has larger corpora, a graph by a large language model, and stronger vectors.

| system | vectors | graph | MuSiQue | 2Wiki | HotpotQA |
|---|---|---|---|---|---|
| HippoRAG 2 (Gutiérrez et al., 2025) | NV-Embed-v2 | OpenIE by Llama 3.3 70B | 69.7 to 74.7 | 76.5 to 90.4 | 94.5 to 96.3 |
| HippoRAG 1, by the authors of HippoRAG 2 | NV-Embed-v2 | the same | 69.7 to 53.2 | 76.5 to 90.4 | 94.5 to 77.3 |
`,
)
