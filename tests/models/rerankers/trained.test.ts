import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { readSummary } from '../../../src/results/read.ts'
import { callsIn } from '../../cli/calls.ts'
import { describeModels } from '../../shared.ts'
import { temporaryFolder } from '../../temporary.ts'

describeModels('a trained cross-encoder', () => {
  test('a trained cross-encoder puts first what words alone put fifth, in a world that it was not trained on', async () => {
    const folder = temporaryFolder({
      'a.yaml': `dataset: ${resolve('datasets/systems/traversal')}
prepare: {embedder: lsa}
rerankers: {cross: {transformers: {model: ${resolve('tests/fixtures/cross-encoder')}, dtype: fp32}}}
trials: [bm25, {name: cross, bm25: {}, after: [{rerank: {by: cross, top: 20}}]}]
measures: [recall@1, recall@5]
compare: {draws: 200}
`,
    })
    const { call } = callsIn(folder)
    expect(await call('run', 'a.yaml', '--workers', '1', '-o', 'run')).toMatchObject({ code: 0 })
    const [bm25, cross] = readSummary(join(folder, 'run')).trials.map(
      ({ measures }) => measures['recall@1'].mean ?? 0,
    )
    expect(bm25).toBeCloseTo(0.474, 3)
    expect(cross).toBeGreaterThan(0.85)
  })
})
