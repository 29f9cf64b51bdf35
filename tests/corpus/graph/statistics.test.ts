import { describe, expect, it } from 'vitest'
import { answersAmong, titleStatistics } from '../../../src/corpus/graph/statistics.ts'
import { indexTitles, linkByTitles } from '../../../src/corpus/graph/titles.ts'

describe('statistics of title links', () => {
  it('count pairs, components and passages without a link', () => {
    const titles = indexTitles(['Ada', 'Bob', 'Cid', 'Dan', 'Eve'])
    const { csr } = linkByTitles(['Ada met Bob.', 'Bob met Ada.', 'Bob again.', 'None.', 'None.'], titles)
    expect(titleStatistics(csr)).toEqual({
      titleLinks: 2,
      titleComponents: 3,
      largestTitleComponent: 3,
      chunksWithoutTitleLink: 2,
    })
    expect(titleStatistics(linkByTitles([], indexTitles([])).csr)).toMatchObject({
      titleLinks: 0,
      titleComponents: 0,
      largestTitleComponent: 0,
    })
  })
})

describe('answers among the entities', () => {
  it('are found by key, any of a query counts, and a query without one is not asked', () => {
    const keys = ['almar voss', 'port ellery']
    expect(answersAmong(keys, [['Port-Ellery!'], ['The sea', 'ALMAR VOSS'], ['1697'], []])).toEqual({
      asked: 3,
      present: 2,
    })
  })
})
