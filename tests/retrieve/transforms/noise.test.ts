import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { disturbed } from '../../../src/retrieve/transforms/noise.ts'

const word = fc.constantFrom('who', 'sailed', 'from', 'Mossreach', 'to', 'the', 'harbour', 'in', '1911')
const text = fc.array(word, { minLength: 1, maxLength: 12 }).map((words) => words.join(' '))
const seed = fc.nat(1000)
const share = fc.constantFrom(0.05, 0.1, 0.5, 1)

describe('noise', () => {
  it('misspells no word of less than four letters, all others at a share of 1, and drops none', () => {
    fc.assert(
      fc.property(text, seed, (text, seed) => {
        const [words, others] = [text, disturbed(text, text, { kind: 'typos', share: 1, seed })].map((one) =>
          one.split(' '),
        )
        expect(others).toHaveLength(words.length)
        words.forEach((word, i) => {
          expect(others[i] === word, `${word} ${others[i]}`).toBe(word.length < 4)
        })
      }),
    )
  })

  it('drops words in their order, at least one stays', () => {
    fc.assert(
      fc.property(text, seed, share, (text, seed, share) => {
        const words = text.split(' ')
        const left = disturbed(text, text, { kind: 'drop', share, seed }).split(' ')
        expect(left.length).toBeGreaterThan(0)
        let next = 0
        for (const one of left) {
          next = words.indexOf(one, next) + 1
          expect(next).toBeGreaterThan(0)
        }
      }),
    )
  })

  it('leaves one blank between the words that stay', () => {
    expect(disturbed('  who  sailed\n', 'x', { kind: 'drop', share: 1e-9, seed: 0 })).toBe('who sailed')
  })

  it('hits about its share of words; another seed hits others; a larger share hits the same and more', () => {
    const words = Array.from({ length: 4000 }, (_, i) => `word${i}`)
    const long = words.join(' ')
    const hit = (share: number, seed: number) => {
      const others = disturbed(long, long, { kind: 'typos', share, seed }).split(' ')
      return words.flatMap((word, i) => (others[i] === word ? [] : [`${i} ${others[i]}`]))
    }
    const tenth = hit(0.1, 0)
    // Five standard deviations.
    expect(Math.abs(tenth.length - 400)).toBeLessThan(95)
    expect(hit(0.1, 0)).toEqual(tenth)
    expect(hit(0.1, 1)).not.toEqual(tenth)
    const more = new Set(hit(0.3, 0))
    expect(more.size).toBeGreaterThan(tenth.length)
    for (const one of tenth) expect(more).toContain(one)
  })

  it('gives both sides of a query the same noise where they say the same', () => {
    fc.assert(
      fc.property(text, seed, (text, seed) => {
        const params = { kind: 'typos', share: 0.5, seed } as const
        const [side, longer] = [disturbed(text, text, params), disturbed(`${text} wounds`, text, params)]
        expect(longer.slice(0, side.length)).toBe(side)
      }),
    )
  })

  it('changes case alone', () => {
    expect(disturbed('Who is Ann?', 'x', { kind: 'lowercase' })).toBe('who is ann?')
    expect(disturbed('Who is Ann?', 'x', { kind: 'uppercase' })).toBe('WHO IS ANN?')
  })
})
