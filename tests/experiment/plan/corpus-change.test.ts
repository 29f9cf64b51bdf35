import fc from 'fast-check'
import { expect, test } from 'vitest'
import { corpusDifferences } from '../../../src/experiment/plan/corpus-change.ts'

test('differences are what was added, changed and removed, and nothing else', () => {
  const corpus = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd', 'e'), fc.constantFrom('x', 'y'))
  const documents = (texts: Record<string, string>) =>
    Object.entries(texts).map(([id, text]) => ({ id, title: '', text, metadata: {} }))
  fc.assert(
    fc.property(corpus, corpus, (before, now) => {
      const { added, changed, removed } = corpusDifferences(documents(before), documents(now))
      const names = ['a', 'b', 'c', 'd', 'e']
      expect(added).toEqual(names.filter((id) => id in now && !(id in before)))
      expect(removed).toEqual(names.filter((id) => id in before && !(id in now)))
      expect(changed).toEqual(names.filter((id) => id in before && id in now && before[id] !== now[id]))
    }),
  )
})
