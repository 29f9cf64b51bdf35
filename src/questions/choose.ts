import { createRandom, shuffle } from '../random.ts'
import type { Draft, Kind } from './draft.ts'

/** Bands of gold lengths, in characters. */
const BANDS = [120, 300] as const

/**
 * Chooses drafts at random so that kinds, documents and lengths of gold take turns: kinds in order, and of a kind the
 * draft whose documents, then whose length, were chosen least often.
 */
export function chooseDrafts(drafts: readonly Draft[], count: number, seed: number): Draft[] {
  const byKind = new Map<Kind, Draft[]>()
  for (const draft of shuffle([...drafts], createRandom(seed)))
    byKind.set(draft.kind, [...(byKind.get(draft.kind) ?? []), draft])
  const kinds = [...byKind.keys()].sort()
  const used = { documents: new Map<string, number>(), bands: new Map<string, number>() }
  const usesOf = ({ from, kind, gold }: Draft) => ({
    documents: from.reduce((sum, id) => sum + (used.documents.get(id) ?? 0), 0) / from.length,
    band: used.bands.get(`${kind} ${bandOf(gold)}`) ?? 0,
  })
  const chosen: Draft[] = []
  while (chosen.length < count && [...byKind.values()].some(({ length }) => length > 0))
    for (const kind of kinds) {
      const left = byKind.get(kind) ?? []
      if (left.length === 0 || chosen.length === count) continue
      let best = 0
      for (let at = 1; at < left.length; at++) if (isLess(usesOf(left[at]), usesOf(left[best]))) best = at
      const [draft] = left.splice(best, 1)
      chosen.push(draft)
      for (const id of draft.from) used.documents.set(id, (used.documents.get(id) ?? 0) + 1)
      const band = `${kind} ${bandOf(draft.gold)}`
      used.bands.set(band, (used.bands.get(band) ?? 0) + 1)
    }
  return chosen
}

interface Uses {
  readonly documents: number
  readonly band: number
}

function isLess(a: Uses, b: Uses): boolean {
  return a.documents < b.documents || (a.documents === b.documents && a.band < b.band)
}

function bandOf(gold: Draft['gold']): number {
  const length = gold.reduce((sum, { start, end }) => sum + end - start, 0)
  return BANDS.filter((limit) => length > limit).length
}
