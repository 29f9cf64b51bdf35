import { expect, test } from 'vitest'
import { answerers } from '../../src/answer/answerers/index.ts'
import { propertiesOf, RENAMED } from '../../src/config/explain.ts'
import { loadConfig } from '../../src/config/load.ts'
import { configSchema } from '../../src/config/schema.ts'
import type { Definition } from '../../src/registry.ts'
import { strategies } from '../../src/retrieve/strategies/index.ts'
import { queryTransforms, rankingTransforms } from '../../src/retrieve/transforms/index.ts'
import { temporaryFolder } from '../temporary.ts'

await strategies.load()
await queryTransforms.load()
await rankingTransforms.load()

const renamed = Object.entries(RENAMED).flatMap(([owner, names]) =>
  Object.entries(names).map(([former, present]) => [owner, former, present] as const),
)

/** A config in which `owner` has the param. */
function configWith(owner: string, param: string): string {
  const given = `{${owner}: {${param}: 3}}`
  const [before, after, answer, trial] = [
    queryTransforms.byName.has(owner) ? given : '',
    rankingTransforms.byName.has(owner) ? given : '',
    answerers.byName.has(owner) ? given : 'extractive',
    strategies.byName.has(owner) ? given : 'bm25',
  ]
  const keys = { 'the config': `${param}: 3`, context: `context: {${param}: 3}` }[owner] ?? ''
  return `dataset: data
trials: [${trial}, {naive: {}, before: [${before}], after: [${after}]}]
answer: ${answer}
${keys}
`
}

const messagesOf = (text: string) =>
  loadConfig('a.yaml', {
    set: [],
    env: {},
    folder: temporaryFolder({ 'a.yaml': text, 'data/corpus.jsonl': '' }),
  }).then(
    () => [],
    (error: Error) => error.message.split('\n'),
  )

test.each(renamed)('%s: `%s` is refused with its present name, `%s`', async (owner, former, present) => {
  const isKey = owner === 'the config' || owner === 'context'
  const message = `${owner} has no ${isKey ? 'key' : 'param'} \`${former}\`; its name is now \`${present}\``
  const found = await messagesOf(configWith(owner, former))
  expect(found.filter((line) => line.endsWith(message))).toEqual([
    expect.stringMatching(/^a\.yaml:\d+:\d+: /),
  ])
  const again = await messagesOf(configWith(owner, present))
  expect(again.filter((line) => line.includes(`has no`) && line.includes(`\`${present}\``))).toEqual([])
})

test('a former name in a grid is refused once, at its key', async () => {
  const found = await messagesOf('dataset: data\ntrials: [rm3: {grid: {documents: [1, 3]}}]\n')
  expect(found).toEqual(['a.yaml:2:23: rm3 has no param `documents`; its name is now `top`'])
})

test('the former name of a dataset format is refused with its present one', async () => {
  const found = await messagesOf('dataset: {markdown: docs}\ntrials: [bm25]\n')
  expect(found).toEqual(['a.yaml:1:11: `markdown` is now called `folder`'])
})

test('no former name is a name of today', () => {
  const definitions: readonly Definition[] = [
    ...strategies.all,
    ...queryTransforms.all,
    ...rankingTransforms.all,
    ...answerers.all,
  ]
  const keysOf = (owner: string) => {
    if (owner === 'the config') return Object.keys(configSchema.shape)
    const found = definitions.find(({ name }) => name === owner)
    return found ? propertiesOf(found.params).map(([name]) => name) : ['top']
  }
  for (const [owner, former, present] of renamed) {
    expect(keysOf(owner)).toContain(present)
    expect(keysOf(owner)).not.toContain(former)
  }
})
