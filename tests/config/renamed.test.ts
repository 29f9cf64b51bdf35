import { expect, test } from 'vitest'
import { loadConfig } from '../../src/config/load.ts'
import { temporaryFolder } from '../temporary.ts'

test('the former name of a dataset format is refused with its present one', async () => {
  const folder = temporaryFolder({
    'a.yaml': 'dataset: {markdown: docs}\ntrials: [bm25]\n',
    'data/corpus.jsonl': '',
  })
  await expect(loadConfig('a.yaml', { set: [], env: {}, folder })).rejects.toThrow(
    'a.yaml:1:11: `markdown` is now called `folder`',
  )
})
