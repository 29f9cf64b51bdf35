import { expect, test } from 'vitest'
import { portable } from '../../src/report/page.ts'
import type { Results } from '../../src/results/read.ts'

const cut = (config: string, ...texts: string[]) => {
  const results = { path: '/home/ann/work/experiments/a', config, summary: { texts }, answers: null }
  const { summary, ...others } = portable(results as unknown as Results)
  return { config: others.config, texts: (summary as unknown as { texts: string[] }).texts }
}

test('paths are relative to the folder of the experiment, wherever they are in a text', () => {
  const { config, texts } = cut(
    '# made of /home/ann/raw\ndataset: /home/ann/my data/towns\nsetup: . /home/ann/venv/activate\n',
    'no file /home/ann/work/b.mjs:3\n/home/ann/c.mjs',
    'file:///home/ann/work/d.mjs',
    'path=/home/ann/e',
  )
  expect(config).toBe(
    '# made of ../../../raw\ndataset: ../../../my data/towns\nsetup: . ../../../venv/activate\n',
  )
  expect(texts).toEqual(['no file ../../b.mjs:3\n../../../c.mjs', 'file://../../d.mjs', 'path=../../../e'])
})

test('addresses and names that hold the top folder further on stay', () => {
  const unchanged = ['https://example.org/home/page', 'docs/home/start', 'http://[::1]/home/v1', 'é/home/x']
  expect(cut('url: https://example.org/home/v1\n', ...unchanged)).toEqual({
    config: 'url: https://example.org/home/v1\n',
    texts: unchanged,
  })
})
