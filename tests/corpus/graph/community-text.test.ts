import fc from 'fast-check'
import { expect, test } from 'vitest'
import { communityText } from '../../../src/corpus/graph/reports/llm.ts'
import { countTokens } from '../../../src/text/tokens.ts'

/** One community of all entities, in a ring, the first one related to every other. */
function community(descriptions: readonly string[]) {
  const size = descriptions.length
  const rows = Uint32Array.from({ length: size }, (_, row) => row)
  const all = { offsets: Uint32Array.from([0, size]), members: rows, counts: rows.map(() => 1) }
  const graph = {
    entities: {
      names: descriptions.map((_, row) => `e${row}`),
      descriptions,
      degrees: rows.map((row) => (row === 0 ? size : 2)),
    },
    relationships: {
      sources: rows.map(() => 0),
      targets: rows,
      descriptions: descriptions.map((_, row) => `r${row}`),
      combinedDegrees: rows.map((row) => size + row),
    },
  }
  return [graph as never, { entities: all, relationships: all } as never] as const
}

test('a community is read best first, within its tokens, and never empty', () => {
  const words = fc.array(fc.constantFrom('road', 'salt', 'glass', '\n'), { maxLength: 20 })
  fc.assert(
    fc.property(
      fc.array(words, { minLength: 1, maxLength: 30 }),
      fc.integer({ min: 50, max: 400 }),
      (all, tokens) => {
        const text = communityText(...community(all.map((words) => words.join(' '))), 0, tokens)
        const lines = text.split('\n')
        expect(lines[1]).toMatch(/^- e0/)
        // Headings are not counted.
        expect(countTokens(text)).toBeLessThanOrEqual(tokens + 12)
        const related = lines.flatMap((line) => /: r(\d+)$/.exec(line)?.[1] ?? []).map(Number)
        expect(related).toEqual(all.map((_, row) => all.length - 1 - row).slice(0, related.length))
      },
    ),
  )
  const whole = communityText(...community(['a', 'b']), 0, 400)
  expect(whole).toBe('Entities:\n- e0: a\n- e1: b\n\nRelationships:\n- e0 -> e1: r1\n- e0 -> e0: r0')
})
