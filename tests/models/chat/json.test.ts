import { describe, expect, it, test } from 'vitest'
import { z } from 'zod'
import type { Completion, Message } from '../../../src/models/chat/chat-model.ts'
import { askJson, BadCompletion, readJson, requireText } from '../../../src/models/chat/json.ts'

const schema = z.strictObject({ names: z.array(z.string()) })
const answer = (text: string, finish: Completion['finish'] = 'stop'): Completion => ({
  text,
  finish,
  model: 'm',
  usage: null,
})

function asking(...answers: Completion[]) {
  const further: (readonly Message[])[] = []
  return {
    further,
    ask: async (messages: readonly Message[]) => {
      further.push(messages)
      return answers[further.length - 1]
    },
  }
}

describe('JSON from a model', () => {
  it.each([
    ['bare', '{"names": ["a"]}'],
    ['in a fence', 'Here it is:\n```json\n{"names": ["a"]}\n```\nDone {really}.'],
    ['between words', 'Sure! {"names": ["a"]} I hope that helps.'],
  ])('is read %s', (_, text) => {
    expect(readJson(text, schema)).toEqual({ value: { names: ['a'] } })
  })

  it('is asked for once more, with the reason', async () => {
    const { ask, further } = asking(answer('{"names": "a"}'), answer('{"names": ["a"]}'))
    expect(await askJson(ask, schema)).toEqual({ names: ['a'] })
    expect(further).toHaveLength(2)
    expect(further[1][0]).toEqual({ role: 'assistant', content: '{"names": "a"}' })
    expect(further[1][1].content).toContain(
      'That is not the JSON asked for: `names` must be a list, not `a`\n',
    )
  })

  it('is a bad answer the second time, and where the model refuses', async () => {
    const twice = asking(answer('no'), answer('{"names": [', 'length'))
    const failed = askJson(twice.ask, schema)
    await expect(failed).rejects.toBeInstanceOf(BadCompletion)
    await expect(failed).rejects.toThrow('twice (cut at `maxTokens`): there is no JSON in it')
    expect(twice.further).toHaveLength(2)
    const refused = asking(answer('', 'refusal'))
    await expect(askJson(refused.ask, schema)).rejects.toThrow('the model refused to answer')
    expect(refused.further).toHaveLength(1)
  })
})

test('a completion is its text, also an empty one; reasoning alone is none', () => {
  const text = (part: Partial<Completion>) => () => requireText({ ...answer('Orr'), ...part })
  expect(text({})()).toBe('Orr')
  expect(text({ reasoning: 'hm' })()).toBe('Orr')
  expect(text({ text: ' ' })()).toBe(' ')
  expect(text({ text: ' \n', reasoning: 'hm' })).toThrow(/^the model wrote reasoning and no answer$/)
  expect(text({ text: '', reasoning: '', finish: 'length' })).toThrow(
    'the model was cut in its reasoning, before an answer; raise `maxTokens` or lower `reasoningEffort`',
  )
  expect(text({ text: 'Orr', reasoning: 'hm', finish: 'length' })()).toBe('Orr')
  expect(text({ finish: 'refusal' })).toThrow(/^the model refused to answer$/)
  expect(text({ finish: 'failed', failure: '413' })).toThrow(/^the request failed: 413$/)
})
