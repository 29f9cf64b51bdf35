import { join } from 'node:path'
import { expect, test } from 'vitest'
import { pinPromptFile, stepPromptParams } from '../../../src/models/prompts/params.ts'
import { temporaryFolder } from '../../temporary.ts'

test('the texts of the prompts that are given stand in the params, of every step', () => {
  const folder = temporaryFolder({ 'one.md': 'Ask {{question}}', 'two.md': 'Read {{passages}}' })
  const pin = pinPromptFile(['question'], { map: ['passages'] })
  const at = (name: string) => join(folder, name)
  expect(pin({ prompt: undefined })).toEqual({ prompt: undefined })
  expect(pin({ prompt: at('one.md') })).toEqual({ prompt: at('one.md'), template: 'Ask {{question}}' })
  const both = { prompt: at('one.md'), mapPrompt: at('two.md'), model: 'tiny' }
  expect(pin(both)).toEqual({ ...both, template: 'Ask {{question}}', mapTemplate: 'Read {{passages}}' })
  expect(() => pin({ prompt: at('two.md') })).toThrow('{{question}}')
  expect(() => pin({ prompt: at('one.md'), ...{ mapPrompt: at('one.md') } })).toThrow('{{passages}}')
})

test('the prompt of a step is a file beside the config, and says what it fills in', () => {
  const { mapPrompt, mapTemplate } = stepPromptParams('map', ['query', 'context'])
  expect(mapPrompt.meta()).toEqual({
    path: true,
    description: 'a file with a custom prompt for the step before (map), with `{{query}}` and `{{context}}`',
  })
  expect(mapPrompt.safeParse('').success).toBe(false)
  expect([mapPrompt.parse(undefined), mapPrompt.parse('m'), mapTemplate.parse('t')]).toEqual([
    undefined,
    'm',
    't',
  ])
})
