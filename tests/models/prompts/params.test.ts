import { join } from 'node:path'
import { expect, test } from 'vitest'
import { pinPromptFile } from '../../../src/models/prompts/params.ts'
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
