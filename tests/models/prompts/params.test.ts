import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { fillPrompt, modelParams, promptFiles } from '../../../src/models/prompts/prompt.ts'
import { sha256 } from '../../../src/store/hash.ts'
import { temporaryFolder } from '../../temporary.ts'

test('the custom prompts of every step are known by their texts', () => {
  const folder = temporaryFolder({ 'one.md': 'Ask {{question}}', 'two.md': 'Read {{passages}}' })
  const hashes = promptFiles(['question'], { map: ['passages'] })
  const at = (name: string) => join(folder, name)
  expect(hashes({ prompt: undefined })).toEqual({})
  expect(hashes({ prompt: at('one.md') })).toEqual({ prompt: sha256('Ask {{question}}') })
  const both = { prompt: at('one.md'), mapPrompt: at('two.md'), model: 'tiny' }
  expect(hashes(both)).toEqual({ prompt: sha256('Ask {{question}}'), mapPrompt: sha256('Read {{passages}}') })
  expect(() => hashes({ prompt: at('two.md') })).toThrow('{{question}}')
  expect(() => hashes({ prompt: at('one.md'), mapPrompt: at('one.md') })).toThrow('{{passages}}')
})

test('a part that asks a model names it, and may have a prompt and a number of a sample', () => {
  const shape = modelParams(['query', 'context'])
  const params = z.strictObject(shape)
  expect(params.parse({ model: 'm' })).toEqual({ model: 'm', seed: 0 })
  const all = { model: 'm', prompt: 'p', seed: 2 ** 32 - 1 }
  expect(params.parse(all)).toEqual(all)
  expect(params.parse({ model: 'm', seed: 0 })).toEqual({ model: 'm', seed: 0 })
  for (const wrong of [{ model: '' }, { prompt: '' }, { seed: -1 }, { seed: 2 ** 32 }, { seed: 0.5 }])
    expect(params.safeParse({ ...all, ...wrong }).success).toBe(false)
  expect(shape.model.meta()).toMatchObject({ model: true })
  expect(shape.prompt.meta()).toEqual({
    path: true,
    description: 'a file with a custom prompt, with `{{query}}` and `{{context}}`',
  })
})

test('a prompt is filled once: the braces of a value stay, and those that nothing fills', () => {
  expect(fillPrompt('{{a}} {{b}} {{toString}} {{ a }}', { a: '{{b}}', b: 'x' })).toBe(
    '{{b}} x {{toString}} {{ a }}',
  )
})
