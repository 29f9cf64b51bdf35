import { describe, expect, it } from 'vitest'
import { findSynonyms, type SynonymLimits } from '../../src/prepare/synonyms.ts'
import { rankScores } from '../../src/ranking/order.ts'

const KEYS = ['colour', 'color', 'hue', 'ab']
/** Angles in degrees: neighbours are 20, 10 and 40 apart, so their cosines are .940, .985 and .766. */
const ANGLES = [0, 20, 30, 70].map((degrees) => (degrees * Math.PI) / 180)

function found(limits?: SynonymLimits): string[] {
  const { sources, targets } = findSynonyms(
    KEYS,
    {
      vector: (row) => Float32Array.of(row),
      search: (queries, depth) =>
        queries.map(([row]) =>
          rankScores(
            Float64Array.from(ANGLES, (angle) => Math.cos(angle - ANGLES[row])),
            depth,
          ),
        ),
    },
    limits,
  )
  return Array.from(sources, (source, i) => `${KEYS[source]} > ${KEYS[targets[i]]}`)
}

describe('synonyms', () => {
  it('are names with a cosine of 0.8, found from names of more than 2 letters', () => {
    expect(found()).toEqual([
      'colour > color',
      'colour > hue',
      'color > colour',
      'color > hue',
      'hue > colour',
      'hue > color',
    ])
  })

  it('are as near as the caller asks', () => {
    expect(found({ cosine: 0.95 })).toEqual(['color > hue', 'hue > color'])
    expect(found({ cosine: 0.75 })).toContain('hue > ab')
  })

  it('are the nearest where there are more than the caller asks for', () => {
    expect(found({ max: 1 })).toEqual(['colour > color', 'color > hue', 'hue > color'])
  })
})
