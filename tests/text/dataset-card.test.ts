import { expect, test } from 'vitest'
import { cardConfigs } from '../../src/text/dataset-card.ts'

const card = (dataFiles: string) =>
  `---\nconfigs:\n- config_name: corpus\n  data_files: ${dataFiles}\n---\n# A dataset\n`
const FILES = ['corpus/test-0.parquet', 'corpus/dev-0.parquet', 'corpus/old/test-0.parquet', 'qrels.tsv']
const splitsOf = (dataFiles: string) =>
  cardConfigs(card(dataFiles)).flatMap(({ splits }) =>
    splits.map(({ split, has }) => [split, FILES.filter(has)]),
  )

test.each([
  ['corpus/test-*', [['test', ['corpus/test-0.parquet']]]],
  ['./corpus/**', [['test', FILES.slice(0, 3)]]],
  [
    '[corpus/test-?.parquet, qrels.tsv]',
    [
      ['test', ['corpus/test-0.parquet']],
      ['test', ['qrels.tsv']],
    ],
  ],
  [
    '{dev: corpus/dev-*, test: [corpus/**/test-*]}',
    [
      ['dev', ['corpus/dev-0.parquet']],
      ['test', ['corpus/test-0.parquet', 'corpus/old/test-0.parquet']],
    ],
  ],
  ['[{split: dev, path: corpus/dev-*}]', [['dev', ['corpus/dev-0.parquet']]]],
])('data_files: %s', (dataFiles, splits) => {
  expect(splitsOf(dataFiles)).toEqual(splits)
})

test('a pattern on which a backtracking matcher never ends is matched at once', () => {
  const [{ splits }] = cardConfigs(card(JSON.stringify(`${'*a'.repeat(40)}b`)))
  expect(splits[0].has('a'.repeat(5000))).toBe(false)
})
