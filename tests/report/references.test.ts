import { expect, test } from 'vitest'
import { bibtexOf, licenceOf } from '../../src/report/references.ts'
import { smallSummary } from './small-summary.ts'

const summary = (strategy: string, dataset: string) => {
  const small = smallSummary({ trials: [{ name: 'a', mean: 0.4 }] })
  return { trials: [{ ...small.trials[0], strategy }], datasets: [{ ...small.datasets[0], name: dataset }] }
}

test('the references of a result are those of its strategies, its data and Touchstone', () => {
  const text = bibtexOf(summary('hipporag', 'hotpotqa'))
  expect(text.match(/^@\w+\{[^,]+/gm)).toEqual([
    '@software{touchstone',
    '@inproceedings{gutierrez2024hipporag',
    '@inproceedings{gutierrez2025memory',
    '@inproceedings{yang2018hotpotqa',
  ])
  // Fields of ours are left out, and braces are balanced.
  expect(text).not.toMatch(/\b(for|licence) = /)
  expect(text.split('{')).toHaveLength(text.split('}').length)
  expect(bibtexOf(summary('mine', 'mine'))).toMatch(/^@software\{touchstone/)
})

test('the licence of a data set is told where it is known', () => {
  expect(licenceOf('HotpotQA/dev')).toBe('CC BY-SA 4.0')
  expect(licenceOf('mine')).toBe('')
})
