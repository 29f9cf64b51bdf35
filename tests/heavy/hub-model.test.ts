import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { main } from '../../src/cli/main.ts'
import { standIn } from '../cli/stand-in.ts'
import { fakeHub } from '../hub/fake-hub.ts'
import { describeShared, shared } from '../shared.ts'
import { temporaryFolder } from '../temporary.ts'

const lines = (items: readonly unknown[]) => items.map((item) => `${JSON.stringify(item)}\n`).join('')

describeShared('a real model from a hub', () => {
  test('embeds as the same model in a folder does', async () => {
    const path = shared('models', 'all-MiniLM-L6-v2')
    const files = Object.fromEntries(
      readdirSync(path, { recursive: true, encoding: 'utf8', withFileTypes: true })
        .filter((file) => file.isFile())
        .map(({ parentPath, name }) => [
          join(parentPath, name).slice(path.length + 1),
          readFileSync(join(parentPath, name)),
        ]),
    )
    const { endpoint } = await fakeHub({ 'models/owner/all-MiniLM-L6-v2': { files } })
    const texts = ['The boat leaves at noon.', 'Bread is baked at night.', 'A harp has forty strings.']
    const folder = temporaryFolder({
      'hub.yaml':
        'dataset: data\nprepare: {embedder: hf:owner/all-MiniLM-L6-v2}\ntrials: [naive]\nmeasures: [recall@1]\n',
      'folder.yaml': `dataset: data\nprepare: {embedder: {transformers: {model: ${JSON.stringify(path)}}}}\ntrials: [naive]\nmeasures: [recall@1]\n`,
      'data/corpus.jsonl': lines(texts.map((text, i) => ({ _id: `d${i}`, text }))),
      'data/queries.jsonl': lines(
        ['When does the ship sail?', 'At what time do loaves come out?', 'Which instrument is plucked?'].map(
          (text, i) => ({ _id: `q${i}`, text }),
        ),
      ),
      'data/qrels/test.tsv': `query-id\tcorpus-id\tscore\n${texts.map((_, i) => `q${i}\td${i}\t1\n`).join('')}`,
    })
    const results = []
    for (const name of ['hub', 'folder']) {
      const terminal = standIn({
        folder,
        env: { HF_ENDPOINT: endpoint, TOUCHSTONE_CACHE: join(folder, 'cache') },
      })
      expect(
        await main(['run', `${name}.yaml`, '--workers', '1', '--store', name], terminal),
        terminal.stderr(),
      ).toBe(0)
      expect(terminal.stdout()).not.toContain('stand-in')
      results.push(JSON.parse(readFileSync(join(folder, 'experiments', name, 'summary.json'), 'utf8')))
    }
    const [byName, byPath] = results
    expect(byName.trials[0].measures).toEqual(byPath.trials[0].measures)
    expect(byName.trials[0].measures['recall@1'].mean).toBe(1)
  })
})
