import { addTo } from '../maps.ts'
import { createRandom, shuffle } from '../random.ts'
import type { Document } from '../types.ts'
import { type Draft, type Drafted, type Kind, keep } from './draft.ts'
import { contentWords, nameKey } from './passages.ts'

/** Bands of gold lengths, in characters. */
const BANDS = [120, 300] as const

/**
 * Chooses drafts at random so that kinds take turns, and of a kind the draft whose documents, then whose length of gold, were chosen
 * least often.
 */
export function chooseDrafts(drafts: readonly Draft[], count: number, seed: number): Draft[] {
  const byKind = new Map<Kind, Draft[]>()
  for (const draft of shuffle([...drafts], createRandom(seed))) addTo(byKind, draft.kind, draft)
  const kinds = [...byKind.keys()].sort()
  const used = { documents: new Map<string, number>(), bands: new Map<string, number>() }
  const usesOf = ({ from, kind, gold }: Draft) =>
    from.reduce((sum, id) => sum + (used.documents.get(id) ?? 0), 0) / from.length +
    (used.bands.get(`${kind} ${bandOf(gold)}`) ?? 0) / drafts.length ** 2
  const chosen: Draft[] = []
  while (chosen.length < count && [...byKind.values()].some(({ length }) => length > 0))
    for (const kind of kinds) {
      const left = byKind.get(kind) ?? []
      if (left.length === 0 || chosen.length === count) continue
      let best = 0
      for (let at = 1; at < left.length; at++) if (usesOf(left[at]) < usesOf(left[best])) best = at
      const [draft] = left.splice(best, 1)
      chosen.push(draft)
      for (const id of draft.from) used.documents.set(id, (used.documents.get(id) ?? 0) + 1)
      const band = `${kind} ${bandOf(draft.gold)}`
      used.bands.set(band, (used.bands.get(band) ?? 0) + 1)
    }
  return chosen
}

function bandOf(gold: Draft['gold']): number {
  const length = gold.reduce((sum, { start, end }) => sum + end - start, 0)
  return BANDS.filter((limit) => length > limit).length
}

/** Share of a question's words above which two questions are near-duplicates (Jaccard). */
const NEAR = 0.8

/** Drops questions whose gold occurs elsewhere in the corpus, word for word: any of these places would be right. */
export function uniqueGold(drafts: readonly Draft[], documents: readonly Document[]): Drafted {
  const folded = documents.map(({ id, text }) => ({ id, text: squeezed(text) }))
  const texts = new Map(documents.map(({ id, text }) => [id, text]))
  return keep(drafts, ({ gold }) => {
    for (const { documentId, start, end } of gold) {
      const quote = squeezed((texts.get(documentId) ?? '').slice(start, end))
      const holding = folded.filter(({ text }) => text.includes(quote))
      const [only] = holding
      if (holding.length > 1) return `its gold occurs in ${holding.length} documents`
      if (only && only.text.indexOf(quote) !== only.text.lastIndexOf(quote))
        return 'its gold occurs more than once in its document'
    }
    return undefined
  })
}

function squeezed(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

/** Drops questions that several passages answer, as two drafts of one text do; two drafts with one gold are one. */
export function unambiguous(drafts: readonly Draft[]): Drafted {
  const distinct = new Map(drafts.map((draft) => [JSON.stringify([nameKey(draft.text), draft.gold]), draft]))
  const byText = new Map<string, Draft[]>()
  for (const draft of distinct.values()) addTo(byText, nameKey(draft.text), draft)
  const groups = [...byText.values()]
  return {
    drafts: groups.flatMap((same) => (same.length === 1 ? same : [])),
    dropped: groups
      .filter(({ length }) => length > 1)
      .map((same) => ({
        draft: { ...same[0], from: [...new Set(same.flatMap(({ from }) => from))] },
        reason: `${same.length} passages would answer it`,
      })),
  }
}

/** Drops every question that is nearly an earlier one. */
export function withoutNearDuplicates(drafts: readonly Draft[]): Drafted {
  const earlier: { readonly text: string; readonly words: ReadonlySet<string> }[] = []
  return keep(drafts, ({ text }) => {
    const words = new Set(contentWords(text))
    const near = earlier.find((other) => jaccard(other.words, words) >= NEAR)
    if (near) return `is nearly "${near.text}"`
    earlier.push({ text, words })
    return undefined
  })
}

function jaccard(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const both = [...a].filter((word) => b.has(word)).length
  const either = a.size + b.size - both
  return either === 0 ? 1 : both / either
}

/** Content words of a question's gold. */
export function goldWords({ gold }: Draft, texts: ReadonlyMap<string, string>): ReadonlySet<string> {
  return new Set(
    gold.flatMap(({ documentId, start, end }) =>
      contentWords((texts.get(documentId) ?? '').slice(start, end)),
    ),
  )
}

/** Share of a question's content words that its gold holds, 0 to 1; 0 without gold. */
export function overlapOf(draft: Draft, texts: ReadonlyMap<string, string>): number {
  const words = [...new Set(contentWords(draft.text))]
  const inGold = goldWords(draft, texts)
  return words.length === 0 ? 0 : words.filter((word) => inGold.has(word)).length / words.length
}
