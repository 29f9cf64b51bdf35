import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { writeTowns } from '../experiment/experiments.ts'
import { start, until } from '../experiment/killing.ts'
import { shared } from '../shared.ts'
import { temporaryFolder } from '../temporary.ts'

/** A strategy that prints, and leaves a timer that never ends. */
const LOUD = `setInterval(() => {}, 1000)
export default ({ defineStrategy, steps, z }) => {
  const index = { k1: 0.9, b: 0.4, idf: 'lucene' }
  const loud = steps.defineStep({ name: 'loud', version: 1, yields: 'ranking', run: ([ranking]) => {
    setInterval(() => {}, 1000)
    console.log('a print')
    process.stdout.write('and {"another"\\n')
    return ranking
  } })
  return defineStrategy({ name: 'loud', summary: 'prints', source: 'here', params: z.strictObject({}),
    make: () => ({ retrieve: (query) => ({ ranking: loud([steps.searchBm25([query], { depth: 10, index })], null) }) }) })
}`

describe('a custom step that prints and leaves timers open', () => {
  const setUp = () => {
    const folder = temporaryFolder({
      'loud.mjs': LOUD,
      'a.yaml': 'dataset: towns\ntrials: [./loud.mjs]\nmeasures: [recall@1]\ncompare: {draws: 100}\n',
    })
    writeTowns(join(folder, 'towns'), { towns: 12 })
    return folder
  }
  test.each([
    ['run in this thread', ['run', 'a.yaml', '--workers', '1', '--json']],
    ['run in workers', ['run', 'a.yaml', '--workers', '2', '--json']],
    ['ask', ['ask', 'a.yaml', 'What does TownA0 live by?', '--json']],
  ])('%s: ends, and stdout is one JSON value', async (_, words) => {
    const { code, out, err } = await start(setUp(), words).ended
    expect(code, err).toBe(0)
    expect(JSON.parse(out)).toBeTypeOf('object')
    expect(err).toContain('[custom code] a print\n')
    expect(err).toContain('[custom code] and {"another"\n')
  })
})

const MODEL = shared('models', 'all-MiniLM-L6-v2')

describe.skipIf(!process.env.TOUCHSTONE_SHARED)('a local model that embeds', () => {
  test('SIGTERM: exit 143, nothing from native code, vectors kept', async () => {
    const folder = temporaryFolder({
      'a.yaml': `dataset: towns\nprepare: {embedder: {transformers: {model: ${MODEL}, workers: 2}}}\ntrials: [naive]\nmeasures: [recall@1]\ncompare: {draws: 100}\n`,
    })
    writeTowns(join(folder, 'towns'), { towns: 48 })
    const corpus = join(folder, 'towns', 'corpus.jsonl')
    const more = Array.from({ length: 6000 }, (_, i) =>
      JSON.stringify({ _id: `m${i}`, title: `Mill ${i}`, text: `Mill ${i} grinds rye. `.repeat(12) }),
    )
    writeFileSync(corpus, `${readFileSync(corpus, 'utf8')}${more.join('\n')}\n`)
    const parts = () => {
      const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      return files.filter((file) => /vectors.*\/[0-9a-f]{32}\.parquet$/.test(file))
    }
    let isKept = false
    for (let attempt = 0; attempt < 3 && !isKept; attempt++) {
      const { process: child, ended } = start(folder, ['prepare', 'a.yaml'])
      const count = parts().length
      await until(() => parts().length > count, 'vectors')
      const first = performance.now()
      await until(() => parts().length > count + 1, 'more vectors')
      // Half the time that a part takes on this machine: texts of the next part are embedded.
      await new Promise((next) => setTimeout(next, (performance.now() - first) / 2))
      const before = parts().length
      child.kill('SIGTERM')
      const { code, err } = await ended
      expect(code, err).toBe(143)
      expect(err).toContain('resume with the same command')
      expect(err).not.toMatch(/terminate called|Napi|Aborted|at .*\.js:\d+/)
      isKept = parts().length > before
    }
    // Vectors computed since the last part are stored too.
    expect(isKept).toBe(true)
  })
})
