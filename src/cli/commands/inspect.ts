import { headingKeywords } from '../../corpus/corpus.ts'
import { membersOf } from '../../corpus/graph/csr.ts'
import { entityRows } from '../../corpus/graph/graph.ts'
import { relationshipsBetween } from '../../corpus/graph/neighbors.ts'
import type { Recipe } from '../../corpus/recipe.ts'
import { NO_GRAPH } from '../../dataset/format.ts'
import { UserError } from '../../errors.ts'
import { type InspectedGraph, inspectGraphs } from '../../experiment/inspect-graphs.ts'
import { openConfig, openConfigs } from '../../library/open-config.ts'
import { plural, quantity } from '../../report/numbers.ts'
import { graphNames, graphRows } from '../../report/sections/graph.tsx'
import { type Column, terminalTable } from '../../report/table.ts'
import { printableText } from '../../report/terminal.ts'
import type { Store } from '../../store/store.ts'
import { compareIds } from '../../text/ids.ts'
import { didYouMean } from '../../text/nearest.ts'
import { defineCommand, flag, integer, text } from '../command.ts'
import type { Io } from '../io.ts'
import { CONFIG, configFile, SET, STORE } from '../options.ts'
import { printSimulatedCache } from '../simulated-cache.ts'

export default defineCommand({
  name: 'inspect',
  summary: 'describe the graphs of a config: shape, largest entities, gold within reach of the queries',
  args: { config: CONFIG },
  options: {
    set: SET,
    store: STORE,
    hops: integer('N', 'maximum distance from the entities that a query names', {
      min: 0,
      max: 5,
      default: 2,
    }),
    entity: text('NAME', 'show the neighbours of this entity and their relationships'),
    keywords: flag("print the corpus's keywords, as its headings write them, for `normalize-keywords`"),
    cache: text(
      'LOG',
      'simulate a cache of answers on a log of questions: JSONL with `query` and `timestamp`, such as evaluation.jsonl of `ask --log`',
    ),
    size: integer('N', 'with --cache: number of answers; the least recently used is evicted first', {
      min: 1,
      max: 10_000_000,
      default: 1000,
    }),
    ttl: integer('SECONDS', 'with --cache: time until an answer expires', {
      min: 0,
      max: 1_000_000_000,
      default: 3600,
    }),
  },
  examples: [
    'touchstone inspect configs/quickstart.yaml --hops 1',
    "touchstone inspect configs/quickstart.yaml --entity 'Klaas Verbor'",
    'touchstone inspect configs/quickstart.yaml --keywords --json > keywords.json',
    'touchstone inspect --cache logs/evaluation.jsonl --size 1000 --ttl 3600',
  ],
  interrupted: 'prepared data is stored',
  async run({ args, options, io }) {
    if (options.cache !== undefined) return printSimulatedCache(io.path(options.cache), options, io)
    const config = configFile(io.folder, args.config)
    if (options.keywords) {
      const { store, recipes } = await openConfig(io, config, options)
      const keywords = await keywordsOf(recipes, store, io)
      const none = 'no heading of the corpus holds a keyword'
      return io.result(keywords, keywords.join('\n') || none)
    }
    const { opened } = await openConfigs(io, config, options)
    const inspected: { readonly dataset: string; readonly graphs: readonly InspectedGraph[] }[] = []
    for (const { dataset, open } of opened)
      inspected.push({ dataset, graphs: await inspectGraphs(open, options.hops, io.progress) })
    if (inspected.every(({ graphs }) => graphs.length === 0))
      throw new UserError(
        [
          'the config has no graph; name one in `prepare.graph`, as `graph: [rules, titles]`',
          ...opened.flatMap(({ open }) =>
            open.dataset.notices.filter((notice) => notice.startsWith(NO_GRAPH)),
          ),
        ].join('. Of the dataset: '),
      )
    if (options.entity !== undefined) {
      const parts = neighborhoods(inspected, options.entity)
      const entities = parts.map((part) => ({
        dataset: part.dataset,
        extractors: part.extractors,
        ...describeEntity(part),
      }))
      return io.result({ entities }, () =>
        entities.map((entity) => entityText(entity, io.columns)).join('\n'),
      )
    }
    const datasets = inspected.map(({ dataset, graphs }) => ({
      dataset,
      graphs: graphs.map(({ graph: _, ...described }) => described),
    }))
    io.result({ datasets }, () =>
      inspected
        .flatMap(({ dataset, graphs }) => graphs.map((graph) => graphText(dataset, graph, io.columns)))
        .join('\n'),
    )
  },
})

async function keywordsOf(recipes: readonly Recipe[], store: Store, { progress }: Io): Promise<string[]> {
  const all = new Set<string>()
  for (const recipe of recipes) {
    const keywords = headingKeywords(recipe)
    await store.prepare(keywords, progress)
    for (const keyword of (await store.open(keywords)).values()) all.add(keyword)
  }
  return [...all].sort(compareIds)
}

function graphText(dataset: string, graph: InspectedGraph, width: number): string {
  return [
    `${dataset}, graph of ${graph.extractors.join(', ')}`,
    terminalTable(graphRows(graph), GRAPH_COLUMNS, { width }),
    '',
    ...graphNames(graph).map(printableText),
  ].join('\n')
}

type Found = readonly { readonly dataset: string; readonly graphs: readonly InspectedGraph[] }[]

/** Neighbourhood of an entity in each graph that has it. Throws a UserError if none has it. */
function neighborhoods(opened: Found, name: string) {
  const parts = opened.flatMap(({ dataset, graphs }) =>
    graphs.flatMap(({ extractors, graph }) => {
      const row = entityRows(graph.entities)(name)
      return row === undefined ? [] : [{ dataset, extractors, graph, row }]
    }),
  )
  if (parts.length > 0) return parts
  const names = opened.flatMap(({ graphs }) => graphs.flatMap(({ graph }) => graph.entities.names))
  throw new UserError(`no graph has the entity \`${name}\`${didYouMean(name, names)}`)
}

type Neighborhood = ReturnType<typeof neighborhoods>[number]

/** Neighbours with most neighbours first. */
function describeEntity({ graph, row }: Neighborhood) {
  const { entities, relationships, csr, chunksOfEntity } = graph
  const neighbors = [...csr.targets.subarray(csr.offsets[row], csr.offsets[row + 1])]
  neighbors.sort((a, b) => entities.degrees[b] - entities.degrees[a] || a - b)
  const describe = (relationship: number) =>
    relationships.descriptions[relationship] || relationships.keywords[relationship]
  return {
    name: entities.names[row],
    type: entities.types[row],
    description: entities.descriptions[row],
    chunks: membersOf(chunksOfEntity, row).length,
    neighbors: neighbors.map((other) => ({
      name: entities.names[other],
      neighbors: entities.degrees[other],
      relationships: relationshipsBetween(row, other, graph).map(describe).filter(Boolean),
    })),
  }
}

const GRAPH_COLUMNS: readonly Column<[string, string]>[] = [
  { head: '', left: true, text: ([words]) => words },
  { head: '', text: ([, value]) => value },
]
const NEIGHBOR_COLUMNS: readonly Column<ReturnType<typeof describeEntity>['neighbors'][number]>[] = [
  { head: 'neighbour', left: true, text: ({ name }) => name },
  { head: 'its neighbours', text: ({ neighbors }) => quantity(neighbors) },
  { head: 'relationship', left: true, text: ({ relationships }) => relationships.join('; ') },
]
/** Neighbours that are printed. */
const SHOWN = 30

interface DescribedEntity extends ReturnType<typeof describeEntity> {
  readonly dataset: string
  readonly extractors: readonly string[]
}

function entityText(entity: DescribedEntity, columns: number): string {
  const { dataset, extractors, name, type, description, chunks, neighbors } = entity
  const about = [type, description].filter(Boolean).join(': ')
  const head = `${dataset}, graph of ${extractors.join(', ')}: ${name}, ${plural(neighbors.length, 'neighbour')}, ${plural(chunks, 'chunk')}`
  const shown = neighbors.slice(0, SHOWN)
  const more = neighbors.length - shown.length
  return [
    ...[head, about].filter(Boolean).map(printableText),
    ...(shown.length > 0 ? [terminalTable(shown, NEIGHBOR_COLUMNS, { width: columns })] : []),
    ...(more > 0 ? [`and ${quantity(more)} more; all with --json`] : []),
  ].join('\n')
}
