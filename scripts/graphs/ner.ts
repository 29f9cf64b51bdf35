import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rules } from '../../src/corpus/graph/extractors/rules.ts'
import { entityKey } from '../../src/text/entity-key.ts'
import type { Chunk } from '../../src/types.ts'
import {
  code,
  EMBEDDERS,
  familyOf,
  gainCell,
  type Measured,
  merge,
  percent,
  points,
  readGains,
  signOf,
  table,
} from './gains.ts'

/**
 * Writes docs/evidence/ner.md: entities of a trained NER (scripts/graphs/entities.py) beside those of `rules`. Names folders of
 * data sets, files of their entities and experiments of configs/graphs.yaml with the graphs `rules` and `ner`:
 *
 *     npx tsx scripts/graphs/ner.ts --set FOLDER ENTITIES EXPERIMENT... --set FOLDER ENTITIES EXPERIMENT...
 */
const sets = process.argv
  .slice(2)
  .join('\n')
  .split(/^--set\n/m)
  .slice(1)
  .map((one) => one.trim().split('\n'))
if (sets.length === 0) throw new Error('name a data set with --set FOLDER ENTITIES EXPERIMENT...')

/** Names found, by key: one of its spellings and the passages that hold it. */
type Found = ReadonlyMap<string, { readonly name: string; readonly passages: ReadonlySet<number> }>

function foundOf(mentions: readonly { readonly name: string; readonly chunk: number }[]): Found {
  const found = new Map<string, { name: string; passages: Set<number> }>()
  for (const { name, chunk } of mentions) {
    const key = entityKey(name)
    if (key === '') continue
    const own = found.get(key)
    if (own) own.passages.add(chunk)
    else found.set(key, { name, passages: new Set([chunk]) })
  }
  return found
}

const jsonLines = <T>(path: string): T[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))

interface Stored {
  readonly id: string
  readonly entities: readonly string[]
}

/** Entities that a file lists for `openie`. */
function storedMentions(path: string, rowOf: ReadonlyMap<string, number>) {
  return jsonLines<Stored>(path).flatMap(({ id, entities }) =>
    entities.map((name) => ({ name: String(name), chunk: rowOf.get(id) as number })),
  )
}

const pairsOf = (found: Found) =>
  new Set([...found].flatMap(([key, { passages }]) => [...passages].map((passage) => `${passage} ${key}`)))

/** Share of pairs of a passage and an entity that the other found too: the same name, or one that holds it or lies in it. */
function sharedPairs(
  own: Found,
  other: Found,
): { readonly same: number; readonly near: number; readonly all: number } {
  const keys = new Map<number, string[]>()
  for (const [key, { passages }] of other)
    for (const passage of passages) keys.set(passage, [...(keys.get(passage) ?? []), key])
  let [same, near, all] = [0, 0, 0]
  const words = (key: string) => ` ${key} `
  for (const [key, { passages }] of own)
    for (const passage of passages) {
      const theirs = keys.get(passage) ?? []
      all++
      if (theirs.includes(key)) same++
      else if (theirs.some((one) => words(one).includes(words(key)) || words(key).includes(words(one))))
        near++
    }
  return { same, near, all }
}

/** Most frequent entities that the other did not find anywhere. */
function examples(own: Found, other: Found): string {
  return [...own]
    .filter(([key]) => !other.has(key))
    .sort(([a, one], [b, two]) => two.passages.size - one.passages.size || (a < b ? -1 : 1))
    .slice(0, 12)
    .map(([, { name, passages }]) => `${name.replace(/\s+/g, ' ').replaceAll('|', '\\|')} (${passages.size})`)
    .join(', ')
}

function f1(found: Found, gold: Found): string {
  const [own, theirs] = [pairsOf(found), pairsOf(gold)]
  const same = [...own].filter((pair) => theirs.has(pair)).length
  const [precision, recall] = [same / own.size, same / theirs.size]
  return [precision, recall, (2 * precision * recall) / (precision + recall)].map(percent).join(' / ')
}

const BETWEEN = ['graphrag-local', 'graphrag-global', 'lightrag', 'hipporag', 'linearrag', 'pathrag']

/** Differences of NER's rows to those of `rules`; the strategies of an embedder are one family. */
function differencesOf({ values }: Measured) {
  const meanOf = (name: string) => values[name].reduce((sum, one) => sum + one, 0) / values[name].length
  const pairs = BETWEEN.map((strategy) => {
    const [ner, own] = ['ner', 'rules'].map((graph) => values[`${strategy} | ${graph}`])
    return [strategy, ner.map((value, query) => value - own[query])] as const
  })
  return familyOf(Object.fromEntries(pairs)).map((gain) => ({
    ...gain,
    before: meanOf(`${gain.name} | rules`),
  }))
}

async function section([folder, entities, ...experiments]: readonly string[]) {
  const passages = jsonLines<{ _id: string; title?: string; text: string }>(join(folder, 'corpus.jsonl'))
  const chunks = passages.map(({ _id, title = '', text }) => ({ id: _id, title, text })) as unknown as Chunk[]
  const rowOf = new Map(chunks.map(({ id }, row) => [id, row]))
  const extraction = await rules.extract({ chunks, documents: [] }, {})
  const [ours, theirs] = [foundOf(extraction.mentions), foundOf(storedMentions(entities, rowOf))]
  const all = await Promise.all(experiments.map(readGains))
  const measured = EMBEDDERS.flatMap((embedder) => {
    const own = all.filter((one) => one.embedder === embedder && 'hipporag | ner' in one.values)
    return own.length === 0 ? [] : [merge(own)]
  })
  const triples = join(folder, 'openie.jsonl')
  const gold = existsSync(triples) ? foundOf(storedMentions(triples, rowOf)) : undefined
  const row = (name: string, own: Found, other: Found) => {
    const { same, near, all } = sharedPairs(own, other)
    const held = new Set([...own.values()].flatMap((one) => [...one.passages]))
    return [
      ...[code(name), String(own.size), (all / chunks.length).toFixed(1), String(chunks.length - held.size)],
      ...[
        String([...own.keys()].filter((key) => other.has(key)).length),
        percent(same / all),
        percent(near / all),
      ],
      ...(gold ? [f1(own, gold)] : []),
    ]
  }
  const head = [
    '',
    'entities',
    'a passage',
    'passages without',
    'entities that the other has',
    'mentions: the same, %',
    'overlapping, %',
  ]
  const columns = measured.map(differencesOf)
  const text = `## ${measured[0].dataset}

${table([...head, ...(gold ? ['precision / recall / F1 to entities of `openie`'] : [])], [row('rules', ours, theirs), row('ner', theirs, ours)])}

Only \`rules\` finds, with the number of passages: ${examples(ours, theirs)}.

Only NER finds: ${examples(theirs, ours)}.

recall@5 with \`rules\`, then the difference with \`ner\`. The 95 % intervals hold jointly for a column:

${table(
  ['strategy', ...measured.map(({ embedder }) => embedder)],
  BETWEEN.map((strategy) => [
    strategy,
    ...columns.map((found) => {
      const gain = found.find(({ name }) => name === strategy) as (typeof found)[number]
      return `${percent(gain.before)}, ${gainCell(gain)}`
    }),
  ]),
)}`
  return { text, gains: columns.flat() }
}

const sections: Awaited<ReturnType<typeof section>>[] = []
for (const one of sets) sections.push(await section(one))
// A strategy that reads texts of the graph alone ranks alike with each embedder, and counts once.
const gains = sections.flatMap((one) => [
  ...new Map(one.gains.map((gain) => [`${gain.name} ${gain.before} ${gain.difference}`, gain])).values(),
])
const [better, worse] = [1, -1].map((sign) => gains.filter((gain) => signOf(gain) === sign).length)
const mean = gains.reduce((sum, { difference }) => sum + difference, 0) / gains.length

writeFileSync(
  new URL('../../docs/evidence/ner.md', import.meta.url),
  `# A trained NER compared with rules

The extractor \`rules\` finds entities by their form: capitalised sequences and dates. This page compares it with the named entity
recognition of spaCy's small English pipeline (en_core_web_sm 3.8.0, spaCy 3.8.18), read as [entities from elsewhere](../corpus.md#entities-of-a-trained-ner).
Both relate two names of a sentence by the words between them. Numbers that NER finds are left out. Two entities are equal if their names differ only in letter
case and punctuation. A mention is a pair of a passage and an entity. *Overlapping* mentions contain the words of another mention in the same passage, or are part of it.
\`npx tsx scripts/graphs/ner.ts\` writes this page from experiments of [configs/graphs.yaml](../../configs/graphs.yaml). [The value of a graph](graphs.md) has gains over no graph.

In ${gains.length} comparisons of retrieval over both graphs, NER is significantly better in ${better} and significantly worse in ${worse}. The mean difference is ${points(mean)} points of recall@5.

${sections.map(({ text }) => text).join('\n\n')}
`,
)
