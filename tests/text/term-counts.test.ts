import fc from 'fast-check'
import { expect, it } from 'vitest'
import { countsOfTexts, countTerms } from '../../src/text/term-counts.ts'

const words = (text: string) => text.split(' ').filter((word) => word !== '')

/** The same, text by text, as nested maps. */
function plainly(texts: readonly string[]) {
  const postings = new Map<string, Map<number, number>>()
  texts.forEach((text, row) => {
    for (const word of words(text)) {
      const rows = postings.get(word) ?? new Map<number, number>()
      rows.set(row, (rows.get(row) ?? 0) + 1)
      postings.set(word, rows)
    }
  })
  return [...postings].map(([term, rows]) => [term, [...rows]])
}

function asLists({ terms, offsets, rows, counts }: ReturnType<typeof countTerms>) {
  return terms.map((term, number) => [
    term,
    Array.from({ length: offsets[number + 1] - offsets[number] }, (_, i) => [
      rows[offsets[number] + i],
      counts[offsets[number] + i],
    ]),
  ])
}

it('counts every term of every text, empty ones among them', () => {
  const text = fc
    .array(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { maxLength: 6 })
    .map((list) => list.join(' '))
  fc.assert(
    fc.property(fc.array(text, { maxLength: 30 }), (texts) => {
      const counted = countTerms(texts, words)
      expect(asLists(counted)).toEqual(plainly(texts))
      expect([...counted.lengths]).toEqual(texts.map((text) => words(text).length))
    }),
  )
})

it('counts of some texts alone are those that counting them alone gives, but for the order of terms', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 6 }).map((list) => list.join(' '))
  const some = fc.record({
    texts: fc.array(text, { minLength: 1, maxLength: 12 }),
    kept: fc.infiniteStream(fc.boolean()),
  })
  fc.assert(
    fc.property(some, ({ texts, kept }) => {
      const chosen = Uint32Array.from([...texts.keys()].filter(() => kept.next().value as boolean))
      const picked = countsOfTexts(countTerms(texts, words), chosen)
      const alone = countTerms(
        Array.from(chosen, (row) => texts[row]),
        words,
      )
      const byTerm = (counts: typeof picked) => new Map(asLists(counts).map(([term, rows]) => [term, rows]))
      expect(byTerm(picked)).toEqual(byTerm(alone))
      expect(picked.lengths).toEqual(alone.lengths)
      expect([picked.rows.length, picked.counts.length]).toEqual([alone.rows.length, alone.counts.length])
    }),
  )
})
