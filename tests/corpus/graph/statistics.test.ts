import { describe, expect, it } from 'vitest'
import { titleStatistics } from '../../../src/corpus/graph/statistics.ts'
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
