import { termsOf } from '../../corpus/lexical/term-counts.ts'
import type { CorpusProfile } from '../../corpus/lexical/text-profile.ts'
import type { IndexSummary, SearchedWords, WordsSummary } from '../../results/summary.ts'
import { type Artifact, artifactsBelow } from '../../store/artifact.ts'
import type { Store } from '../../store/store.ts'
import type { Script } from '../../text/scripts.ts'
import type { TermCounts } from '../../text/term-counts.ts'
import type { Analyzer, AnalyzerParams } from '../../text/tokenize.ts'
import type { Progress } from '../../types.ts'
import { artifactsOf, type CompiledTrial } from './compile.ts'
import type { OpenExperiment } from './open.ts'

/** Display names of the artifacts that look up query words among the chunks' terms. */
const READERS: Readonly<Record<string, string>> = {
  lexicon: 'bm25',
  field_lexicon: 'bm25 fields',
  lsa: 'lsa',
}

interface Reader {
  readonly name: string
  /** Term counts of the index, one per field. */
  readonly counts: readonly Artifact<unknown>[]
  readonly analyze: Artifact<Analyzer>
}

/** Lexical indexes, each set of terms and analysis once, whatever other params differ. */
function readersOf(read: readonly Artifact<unknown>[]): Reader[] {
  const found = new Map<string, Reader>()
  for (const { name, inputs } of read) {
    if (READERS[name] === undefined) continue
    const counts = artifactsBelow([inputs.counts]).filter((artifact) => artifact.name === 'term_counts')
    const analyze = inputs.analyze as Artifact<Analyzer>
    const reader = { name: READERS[name], counts, analyze }
    found.set([name, analyze.key, ...counts.map(({ key }) => key)].join(' '), reader)
  }
  return [...found.values()]
}

const readBy = (trials: readonly CompiledTrial[], recipe: number) =>
  artifactsBelow(artifactsOf(trials.filter((trial) => trial.recipe === recipe)))

/**
 * Counts the terms of the chunks that trials search, if not counted yet; computes no vectors. Skips texts that wait for
 * completions.
 */
export async function prepareWords(
  { recipes, trials, store, artifacts }: OpenExperiment,
  progress?: Progress,
) {
  const own = new Set(artifactsBelow(artifacts).map(({ key }) => key))
  for (const index of recipes.keys())
    for (const { counts } of readersOf(readBy(trials, index)))
      for (const artifact of counts) if (own.has(artifact.key)) await store.prepare(artifact, progress)
}

/** Word analysis of each variant, and the judged questions without a known word; from what the store already has. */
export async function describeWordsOf(open: OpenExperiment): Promise<Pick<IndexSummary, 'name' | 'words'>[]> {
  const { recipes, trials, store, dataset } = open
  const texts = dataset.queries
    .filter(({ id, answerable }) => answerable && (dataset.qrels.has(id) || dataset.spans.has(id)))
    .map(({ text }) => text)
  const described: Pick<IndexSummary, 'name' | 'words'>[] = []
  for (const index of recipes.keys()) {
    const words = await describeWords(store, readBy(trials, index), texts)
    if (words) described.push({ name: `variant ${index + 1}`, words })
  }
  return described
}

/**
 * Inverse document frequency of a text's terms in these chunks, from the index of BM25 (or else LSA): ln(1 + (N - n + .5) / (n
 * + .5)) for a term in n of N texts, Infinity for an unknown term. Null if no index looks up words.
 */
export async function rarityOf(
  store: Store,
  read: readonly Artifact<unknown>[],
): Promise<((text: string) => number[]) | null> {
  const readers = readersOf(read)
  const reader = readers.find(({ name }) => name !== READERS.lsa) ?? readers[0]
  if (!reader) return null
  const held = new Map<string, number>()
  let texts = 0
  for (const artifact of reader.counts) {
    const { terms, offsets, lengths } = (await store.open(artifact)) as TermCounts
    texts = Math.max(texts, lengths.length)
    // With several fields, uses the field that contains the term most often.
    for (const [term, word] of terms.entries())
      held.set(word, Math.max(held.get(word) ?? 0, offsets[term + 1] - offsets[term]))
  }
  const analyze = await store.open(reader.analyze)
  return (text) =>
    [...new Set(analyze(text))].map((word) => {
      const n = held.get(word)
      return n === undefined ? Number.POSITIVE_INFINITY : Math.log1p((texts - n + 0.5) / (n + 0.5))
    })
}

/** Word analysis of these artifacts; undefined if they read no words or the store has no counts yet. */
export async function describeWords(
  store: Store,
  read: readonly Artifact<unknown>[],
  texts: readonly string[],
): Promise<WordsSummary | undefined> {
  const artifact = read.find(({ name }) => name === 'text_profile') as Artifact<CorpusProfile> | undefined
  if (!artifact || !store.has(artifact)) return undefined
  const { tokenizer, languages, seen } = await store.open(artifact)
  const { language } = artifact.params as { language: string }
  const searches: SearchedWords[] = []
  const readers = readersOf(read).filter(({ counts }) => counts.every((one) => store.has(one)))
  for (const reader of readers) {
    const terms = new Set<string>()
    for (const counts of reader.counts) for (const term of await store.open(termsOf(counts))) terms.add(term)
    const analyze = await store.open(reader.analyze)
    const found = texts.map((text) => analyze(text))
    searches.push({
      name: nameOf(reader, readers),
      queries: texts.length,
      wordless: found.filter((words) => words.length === 0).length,
      unknown: found.filter((words) => words.length > 0 && !words.some((word) => terms.has(word))).length,
    })
  }
  return {
    tokenizer: tokenizer.n === undefined ? tokenizer.name : `${tokenizer.name} ${tokenizer.n}`,
    language,
    texts: seen.texts,
    scripts: (Object.keys(seen.scripts) as Script[]).map((script) => ({
      script,
      share: seen.scripts[script] ?? 0,
      recognised: seen.languages[script] ?? null,
      language: languages[script] ?? null,
    })),
    searches,
  }
}

/** Name of an index; with its analysis if a grid has several. */
function nameOf({ name, analyze }: Reader, readers: readonly Reader[]): string {
  if (readers.filter((other) => other.name === name).length === 1) return name
  const { stemmer, stopwords } = analyze.params as AnalyzerParams
  return `${name} stemmer=${stemmer} stopwords=${stopwords}`
}
