import { join } from 'node:path'
import { normalize } from '../../ranking/normalize.ts'
import { type Artifact, defineArtifact } from '../../store/artifact.ts'
import { entityKey, spacedKey } from '../../text/entity-key.ts'
import { UNSPACED_CHARACTERS } from '../../text/scripts.ts'
import type { Ranking } from '../../types.ts'
import { chunkColumns } from '../corpus.ts'
import type { Recipe } from '../recipe.ts'
import { buildCsr, type Csr, readCsr, withSelfEdges, writeCsr } from './csr.ts'
import { createWalk, type RandomWalk, type Reset } from './pagerank.ts'

/**
 * A title is found by its spaced key, and without parentheses ("Alien (film)" as "alien") if that has over 2 characters
 * and at most 8 words. In scripts without spaces it is found wherever its letters are, from 2 letters on.
 */
const MAX_TITLE_WORDS = 8

const UNSPACED = new RegExp(`[${UNSPACED_CHARACTERS}]`, 'u')

export function titleKeys(title: string): string[] {
  const names = [title, title.replace(/\([^()]*\)/gu, ' ')].filter(
    (name) => entityKey(name).split(' ').length <= MAX_TITLE_WORDS,
  )
  return [...new Set(names.map(spacedKey))].filter((key) => key.length > 2)
}

export interface Titles {
  /** Title key -> rows with that title, ascending. */
  readonly rows: ReadonlyMap<string, readonly number[]>
  /** Word prefixes of all keys: the search stops when a text leaves them. */
  readonly beginnings: ReadonlySet<string>
}

export function indexTitles(titles: readonly string[]): Titles {
  return indexNames(titles.map((title) => [title]))
}

export function indexNames(names: readonly (readonly string[])[]): Titles {
  return indexKeys(names.map((variants) => variants.flatMap(titleKeys)))
}

/** Indexes rows by spaced keys of any length; a row may have several. */
export function indexKeys(keys: readonly (readonly string[])[]): Titles {
  const rows = new Map<string, number[]>()
  const beginnings = new Set<string>()
  keys.forEach((variants, row) => {
    for (const key of new Set(variants)) {
      const titled = rows.get(key)
      if (titled) {
        titled.push(row)
        continue
      }
      rows.set(key, [row])
      for (let end = key.indexOf(' '); end >= 0; end = key.indexOf(' ', end + 1))
        beginnings.add(key.slice(0, end))
    }
  })
  return { rows, beginnings }
}

/** `words` words from the `start`-th word of the text's spaced key. */
interface TitleSpan {
  readonly key: string
  readonly start: number
  readonly words: number
}

/** Titles in `text` as whole words, in order of the first word, including overlapping ones. */
export function findTitles(text: string, titles: Titles): TitleSpan[] {
  const key = spacedKey(text)
  return findKeys(key.split(' '), titles, UNSPACED.test(key) ? undefined : MAX_TITLE_WORDS)
}

export function findKeys(
  words: readonly string[],
  { rows, beginnings }: Titles,
  most = words.length,
): TitleSpan[] {
  const spans: TitleSpan[] = []
  for (let start = 0; start < words.length; start++) {
    let key = ''
    for (let count = 1; count <= most && start + count <= words.length; count++) {
      key = count === 1 ? words[start] : `${key} ${words[start + count - 1]}`
      if (rows.has(key)) spans.push({ key, start, words: count })
      if (!beginnings.has(key)) break
    }
  }
  return spans
}

/**
 * Start of Title PPR's walk: minmax over the prior's `top` best (0 is the minimum if there are fewer), to the power
 * `power`; plus `titleWeight` * rarity for each passage whose title is in the query.
 */
export type TitleResetOptions = { readonly top: number; readonly power: number; readonly titleWeight: number }

/** Titles that are not part of a longer one; their keys have over 3 characters, in scripts without spaces 2 or more. */
export function longestSpans(candidates: readonly TitleSpan[]): TitleSpan[] {
  const spans = candidates.filter(({ key, words }) => key.length > 3 || (words > 1 && UNSPACED.test(key)))
  const holds = (outer: TitleSpan, inner: TitleSpan) =>
    outer.words > inner.words &&
    outer.start <= inner.start &&
    outer.start + outer.words >= inner.start + inner.words
  return spans.filter((span) => !spans.some((other) => holds(other, span)))
}

/** Passages whose titles are in `query`, ascending, each with the rarity of its rarest title. */
export function titledIn(query: string, titles: Titles, rarity: ReadonlyMap<string, number>): Reset {
  const longest = longestSpans(findTitles(query, titles))
  const weights = new Map<number, number>()
  for (const { key } of longest)
    for (const row of titles.rows.get(key) ?? [])
      weights.set(row, Math.max(weights.get(row) ?? 0, rarity.get(key) ?? 0))
  const sorted = [...weights].sort(([a], [b]) => a - b)
  return {
    nodes: Uint32Array.from(sorted, ([row]) => row),
    weights: Float64Array.from(sorted, ([, weight]) => weight),
  }
}

/** Reset over `chunks` passages; passages without weight are left out. */
export function titleReset(
  prior: Ranking,
  titled: Reset,
  { top, power, titleWeight }: TitleResetOptions,
  chunks: number,
): Reset {
  const best = prior.scores.slice(0, top)
  const isWhole = best.length >= Math.min(top, chunks)
  const scaled = normalize({ scores: isWhole ? best : Float64Array.of(...best, 0) }, 'minmax')
  const weights = new Map<number, number>()
  for (let i = 0; i < best.length; i++) if (scaled[i] > 0) weights.set(prior.rows[i], scaled[i] ** power)
  if (titleWeight > 0)
    for (let i = 0; i < titled.nodes.length; i++)
      weights.set(titled.nodes[i], (weights.get(titled.nodes[i]) ?? 0) + titleWeight * titled.weights[i])
  return { nodes: Uint32Array.from(weights.keys()), weights: Float64Array.from(weights.values()) }
}

/** True if a passage of the reset is titled in the query, or has a link. */
export function leadsOn(
  { nodes }: Reset,
  titled: Reset,
  { titleWeight }: TitleResetOptions,
  { offsets }: Csr,
): boolean {
  if (titleWeight > 0 && titled.nodes.length > 0) return true
  for (let i = 0; i < nodes.length; i++) if (offsets[nodes[i]] < offsets[nodes[i] + 1]) return true
  return false
}

/** Title PPR's graph: passages that mention each other's titles. Node = chunk row. */
interface TitleGraph {
  /** Passages that mention a title of each other; the weight is the rarity of that mention. */
  readonly csr: Csr
  readonly walk: RandomWalk
  readonly titles: Titles
  readonly rarity: ReadonlyMap<string, number>
}

const FILE = 'links.safetensors'

export function titleLinks(recipe: Recipe): Artifact<TitleGraph> {
  return defineArtifact({
    name: 'title_links',
    version: 4,
    params: null,
    inputs: { chunks: chunkColumns(recipe, 'title', 'text') },
    async build(folder, inputs) {
      const chunks = await inputs.chunks()
      const titles = indexTitles(chunks.map(({ title }) => title))
      const texts = chunks.map(({ text }) => text)
      const { csr, rarity } = linkByTitles(texts, titles)
      writeCsr(join(folder, FILE), csr, { rarity: Float64Array.from(rarity.values()) })
    },
    async open(folder, inputs) {
      const titles = indexTitles((await inputs.chunks()).map(({ title }) => title))
      const { csr, arrays } = readCsr<{ rarity: Float64Array }>(join(folder, FILE))
      const rarity = new Map([...titles.rows.keys()].map((key, index) => [key, arrays.rarity[index]]))
      return { csr, walk: createWalk(withSelfEdges(csr)), titles, rarity }
    },
  })
}

/**
 * Joins each passage with those whose titles it mentions; the weight is the highest rarity, 1 / (passages that
 * mention the title * passages that carry it).
 */
export function linkByTitles(texts: readonly string[], titles: Titles): Pick<TitleGraph, 'csr' | 'rarity'> {
  const mentions = texts.map((text) => new Set(findTitles(text, titles).map(({ key }) => key)))
  const rarity = new Map([...titles.rows.keys()].map((key) => [key, 0]))
  const count = (key: string) => rarity.get(key) ?? 0
  for (const keys of mentions) for (const key of keys) rarity.set(key, count(key) + 1)
  for (const [key, rows] of titles.rows) rarity.set(key, 1 / (Math.max(1, count(key)) * rows.length))
  const weights = new Map<number, number>()
  mentions.forEach((keys, row) => {
    for (const key of keys)
      for (const other of titles.rows.get(key) ?? []) {
        const pair = Math.min(row, other) * texts.length + Math.max(row, other)
        if (other !== row) weights.set(pair, Math.max(weights.get(pair) ?? 0, count(key)))
      }
  })
  const pairs = [...weights.keys()]
  const csr = buildCsr(texts.length, {
    sources: pairs.map((pair) => Math.floor(pair / texts.length)),
    targets: pairs.map((pair) => pair % texts.length),
    weights: [...weights.values()],
  })
  return { csr, rarity }
}
