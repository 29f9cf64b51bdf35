import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { datasetFolders } from '../../src/results/finished.ts'
import { SEAL, sealed } from '../../src/store/hash.ts'
import { findExperiments, linkIn } from '../../src/view/find.ts'
import { temporaryFolder } from '../temporary.ts'

const PLAN = '{\n  "format": 12, "hash": "a"}'

test('experiments are found by their files, four folders deep, and never through a link', () => {
  const root = temporaryFolder({
    'a/plan.json': PLAN,
    'a/parts/inner/plan.json': PLAN,
    'a/timings/plan.json': PLAN,
    'a/second/summary.json': PLAN,
    'parts/b/manifest.json': PLAN,
    'extension/manifest.json': '{"name": "of a browser", "format": 3}',
    'binary/summary.json': 'not JSON',
    'running/lock': '',
    'other/lock': 'of another program',
    'held/lock': '{"pid": 1}',
    '1/2/3/4/plan.json': PLAN,
    '1/2/3/4/5/plan.json': PLAN,
    '.hidden/plan.json': PLAN,
    'node_modules/plan.json': PLAN,
    'none/result.json': PLAN,
  })
  symlinkSync(join(root, 'a'), join(root, 'linked'))
  const experiments = findExperiments(root)
  expect(experiments.map(({ name }) => name).sort()).toEqual(
    ['1/2/3/4', 'a', 'a/second', 'binary', 'held', 'parts/b', 'running'].sort(),
  )
  for (const { name, folder } of experiments) expect(folder).toBe(join(root, name))
  expect(findExperiments(join(root, 'a')).map(({ name }) => name)).toEqual(['.', 'second'])
})

test.each<[string, string | undefined]>([
  ['plan.json', 'plan.json'],
  ['parts/x', 'parts/x'],
  ['timings/x', 'timings/x'],
  ['parts/plan/0.parquet', 'parts/plan/0.parquet'],
  ['timings/plan/x', undefined],
  ['other/x', undefined],
])('a link at %s of an experiment is found: %s', (path, expected) => {
  const root = temporaryFolder({ 'parts/a/0.parquet': '', 'timings/latency.json': '' })
  expect(linkIn(root)).toBeUndefined()
  mkdirSync(join(root, path, '..'), { recursive: true })
  symlinkSync('/nowhere', join(root, path))
  expect(linkIn(root)).toBe(expected)
})

test('the datasets of an experiment are those of its plan, unless it was changed', () => {
  const at = (content?: string) => temporaryFolder(content === undefined ? {} : { 'plan.json': content })
  const several = at(sealed({ format: 1, datasets: ['a', 'b'] }))
  expect(datasetFolders(several)).toEqual(['a', 'b'])
  for (const content of [undefined, 'no JSON', 'null', sealed({ format: 1 }), '{"datasets": "a"}'])
    expect(datasetFolders(at(content))).toBeNull()
  expect(datasetFolders(at('{"datasets": [1]}'))).toEqual(['1'])
  expect(() => datasetFolders(at(JSON.stringify({ datasets: ['a'], [SEAL]: 'x' })))).toThrow(
    'plan.json: was changed or lost since it was written',
  )
})
