import { describe, expect, it } from 'vitest'
import { findSynonyms } from '../../../src/corpus/graph/hippo-graph.ts'
import { laterOf } from './later-neighbours.ts'

const KEYS = ['colour', 'color', 'hue', 'ab']
/** Angles in degrees: neighbours are 20, 10 and 40 apart, so their cosines are .940, .985 and .766. */
const ANGLES = [0, 20, 30, 70].map((degrees) => (degrees * Math.PI) / 180)

function found({ cosine = 0.8, max = 100 } = {}): string[] {
  const near = laterOf(KEYS.length, (a, b) => Math.cos(ANGLES[a] - ANGLES[b]), cosine)
  const { sources, targets } = findSynonyms(KEYS, near, max)
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
})
