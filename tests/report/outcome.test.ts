import { describe, expect, test } from 'vitest'
import { countVerdicts, verdictMark, verdictWord } from '../../src/report/outcome.ts'

const signs = (wins: number, ties: number, losses: number) => ({ wins, ties, losses })

describe('a compared row', () => {
  test.each([
    ['better', 1, 0, '▲', 'better'],
    ['worse', 0, 1, '▼', 'worse'],
    ['equivalent', 1, 1, '■', 'equivalent'],
    ['cannot tell', 2, 1, '○', 'cannot tell'],
    ['cannot tell', 0, 0, '=', 'identical'],
  ] as const)('%s with %i wins and %i losses is %s %s', (verdict, wins, losses, mark, word) => {
    const row = { ...signs(wins, 3, losses), verdict }
    expect([verdictMark(row), verdictWord(row), countVerdicts(row)]).toEqual([mark, word, wins + 3 + losses])
  })
})
