import { describe, expect, it } from 'vitest'
import { createGuard } from '../../../src/custom/guard.ts'
import { loadCustom } from '../../../src/custom/load.ts'
import { customStrategy } from '../../../src/retrieve/custom/kinds.ts'
import { defineCustomStep } from '../../../src/retrieve/custom/step.ts'
import { sourceQuery } from '../../../src/retrieve/step.ts'
import { docsSection } from '../../docs-section.ts'
import { questions } from '../../fixtures/passages.ts'
import { temporaryFolder } from '../../temporary.ts'
import { evaluate, prepare, recipe, retrieved } from '../strategies/prepared.ts'

const load = (text: string) => loadCustom(`${temporaryFolder({ 'mine.mjs': text })}/mine.mjs`, customStrategy)

it('runs the example of the docs', async () => {
  const page = docsSection('custom-parts.md', 'Add a strategy')
  const strategy = await load(/```js\n(.*?)```/s.exec(page)?.[1] ?? '')
  const { ranking } = retrieved(strategy, { pool: 5 })
  const store = await prepare(temporaryFolder(), [ranking])
  for (const found of await evaluate(store, ranking, questions)) expect(found.rows.length).toBe(5)
})

it.each([
  ['', 'has no default export'],
  ['export default 3', 'is not a strategy'],
  [
    'export default { name: "mine" }',
    'lacks `summary`, which must be text; `params` must be z.strictObject({...}); `make` must be a function',
  ],
  ['export default', 'could not be loaded'],
  ['import x from "no-such-package-anywhere"\nexport default x', 'could not be loaded'],
  ['export default () => { throw new Error("broken") }', 'could not be loaded: broken'],
])('refuses %j', async (text, message) => {
  await expect(load(text)).rejects.toThrow(message)
})

it.each([
  ['const a = 1\nfoo bar', /mine\.mjs:2: could not be loaded: Unexpected identifier/],
  ['\n\nthrow new Error("broken")', /mine\.mjs:3:7: could not be loaded: broken/],
  ['throw "broken"', /mine\.mjs: could not be loaded: broken/],
  ['export default () => {\n  null.x\n}', /mine\.mjs:\d+.*: could not be loaded: Cannot read/],
  ['import { nope } from "node:fs"', /mine\.mjs:1: could not be loaded: .*nope/],
  ['process.exit(0)', /mine\.mjs: ended with code 0 while it was imported/],
  ['await new Promise(() => {})', /mine\.mjs: ended with code \d+ while it was imported/],
  [
    'Promise.reject(new Error("nobody waits"))\nawait new Promise((done) => setTimeout(done, 500))',
    /mine\.mjs: could not be loaded: nobody waits/,
  ],
])('says where: %j', async (text, message) => {
  await expect(load(text)).rejects.toThrow(message)
})

describe('a step of one’s own', () => {
  const KEYS =
    'keys of a step are name, version, within, channel, yields, artifacts, requires, asks, facts, run, runBlock, pick, pickFellBack, timeout, files'
  const define = (definition: object) =>
    defineCustomStep(createGuard())({ name: 'letters', version: 1, ...definition } as never)
  const lengths = questions.map(({ text }) => text.length)
  type Texts = readonly [{ readonly text: string }]

  it.each([
    ['query by query', { run: ([{ text }]: Texts) => text.length }],
    ['query by query, as a promise', { run: async ([{ text }]: Texts) => text.length }],
    ['all queries at once', { runBlock: (block: Texts[]) => block.map(([{ text }]) => text.length) }],
    [
      'all queries at once, as a promise',
      { runBlock: async (block: Texts[]) => block.map(([{ text }]) => text.length) },
    ],
  ])('computes %s', async (_, definition) => {
    const root = define(definition)([sourceQuery(recipe)] as never, null as never)
    expect(await evaluate(await prepare(temporaryFolder(), []), root, questions)).toEqual(lengths)
  })

  it.each([
    [{ runs: 1 }, `has an unknown key \`runs\` (did you mean "run"?); ${KEYS}`],
    [{ a: 1, b: 2 }, `has an unknown key \`a\`, an unknown key \`b\`; ${KEYS}`],
    [{ files: 'words.txt' }, `has an \`files\` that is no list of paths; ${KEYS}`],
  ])('with %o is refused', (definition, message) => {
    expect(() => define(definition)).toThrow(`the step \`letters\` ${message}`)
  })
})
