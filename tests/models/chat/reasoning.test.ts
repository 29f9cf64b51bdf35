import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { partReasoning } from '../../../src/models/chat/reasoning.ts'

const partGrowing = (text: string) => partReasoning(text, true, true)

describe('reasoning before an answer', () => {
  it.each([
    ['DeepSeek, Qwen', '<think>\nMaybe Tarn? No.\n</think>\n\nOrr', 'Orr', 'Maybe Tarn? No.'],
    ['an empty block of Qwen', '<think>\n\n</think>\n\nOrr', 'Orr', ''],
    ['after a byte order mark and spaces', '\uFEFF \n<THINK>a</Think>Orr', 'Orr', 'a'],
    ['thinking', '<thinking>a</thinking>Orr', 'Orr', 'a'],
    ['thought', '<thought>a</thought>\nOrr', 'Orr', 'a'],
    ['reasoning', '<reasoning>a</reasoning>\nOrr', 'Orr', 'a'],
    ['Seed-OSS', '<seed:think>a</seed:think>Orr', 'Orr', 'a'],
    ['Magistral', '[THINK]a[/THINK]Orr', 'Orr', 'a'],
    ['a template that opens the block', 'Maybe Tarn? No.\n</think>\n\nOrr', 'Orr', 'Maybe Tarn? No.'],
    ['two blocks', '<think>a</think>\n<think>b</think>\nOrr', 'Orr', 'ab'],
    ['a block in a block', '<think>a <think>b</think> c</think>Orr', 'Orr', 'a <think>b</think> c'],
    [
      'an opening mark inside that is not closed',
      '<think>the <think> mark</think>Orr',
      'Orr',
      'the <think> mark',
    ],
    [
      'JSON inside',
      '<think>{"follows": false}</think>{"follows": true}',
      '{"follows": true}',
      '{"follows": false}',
    ],
    ['blanks and attributes in the marks', '<think time="3">a</ think >Orr', 'Orr', 'a'],
    ['after characters that nobody sees', '\u200b<think>a</think>Orr', 'Orr', 'a'],
    ['an empty mark', '<think/>Orr', 'Orr', ''],
    ['scratchpad', '<scratchpad>a</scratchpad>Orr', 'Orr', 'a'],
    ['thoughts', '<thoughts>a</thoughts>Orr', 'Orr', 'a'],
    ['Kimi', '◁think▷a◁/think▷Orr', 'Orr', 'a'],
    ['R1-Zero', '<think>a</think>\n<answer>Orr</answer>', 'Orr', 'a'],
    [
      'OpenThinker',
      '<|begin_of_thought|>a<|end_of_thought|>\n<|begin_of_solution|>Orr<|end_of_solution|>',
      'Orr',
      'a',
    ],
    [
      'gpt-oss',
      '<|channel|>analysis<|message|>a<|end|><|start|>assistant<|channel|>final<|message|>Orr<|return|>',
      'Orr',
      'a',
    ],
    ['Gemma 4', '<|channel>thought\na<channel|>Orr<turn|>', 'Orr', 'a'],
    ['Gemma 4, which did not think', '<|channel>thought\n<channel|>Orr', 'Orr', ''],
    ['Gemma 4, cut', '<|channel>thought\na', '', 'a'],
    ['MedGemma', '<unused94>thought\na<unused95>Orr', 'Orr', 'a'],
    ['MedGemma, cut', '<unused94>thought\nMaybe Tarn', '', 'Maybe Tarn'],
    ['marks between bars', '<|thinking|>a<|/thinking|>Orr', 'Orr', 'a'],
    ['a monologue', '<inner_monologue>a</inner_monologue>\nOrr', 'Orr', 'a'],
    ['Granite', 'Here is my thought process:\na\nHere is my response:\nOrr', 'Orr', 'a'],
    [
      'Apriel',
      'Here are my reasoning steps:\na\n[BEGIN FINAL RESPONSE]\nOrr\n[END FINAL RESPONSE]\n<|end|>',
      'Orr\n',
      'a',
    ],
    ["the mark of a turn's end behind it", '<think>a</think>Orr<|im_end|>', 'Orr', 'a'],
    ['a block that begins a line behind a preamble', 'Okay.\n<think>a</think>\nOrr', 'Okay.\n\nOrr', 'a'],
    ['a block behind the answer', 'Orr\n\n  <thinking>\na\n</thinking>', 'Orr\n\n', 'a'],
    ['no end behind a preamble', 'Okay.\n<think>\nMaybe Tarn', '', 'Maybe Tarn'],
    ['no end behind a whole block', '<think>a</think>\nOrr\n<think>b', '', 'ab'],
    ['no end', '<think>\nMaybe Tarn', '', 'Maybe Tarn'],
    ['an end of Magistral alone', 'a[/THINK]Orr', 'Orr', 'a'],
    ['an end before a mention of the mark', 'a</think>Orr writes <think> too', 'Orr writes <think> too', 'a'],
    ['a line in other letters', 'Okay.\n<Think>a</THINK>\nOrr', 'Okay.\n\nOrr', 'a'],
    ['blanks within the marks of the answer', '<think>a</think><answer> Orr\n</answer>', 'Orr', 'a'],
    ['nothing but the mark', '<think>', '', ''],
    ['a turn that nothing stopped', '<think>a</think>Orr<|im_end|>\n<|im_start|>user\nWho?', 'Orr', 'a'],
  ])('is parted: %s', (_, raw, text, reasoning) => {
    expect(partReasoning(raw)).toEqual({ text, reasoning })
  })

  it('is never shown while a text with its marks grows', () => {
    const word = fc.constantFrom('secret ', '<think>', '\n', 'x')
    fc.assert(
      fc.property(fc.array(word), (words) => {
        const raw = `<think>${words.join('')}`
        for (let length = 0; length <= raw.length; length++)
          expect(partGrowing(raw.slice(0, length)).text).toBe('')
      }),
    )
    const behind = 'Okay.\n<think time="3">secret</think>\nOrr'
    for (let length = 0; length <= behind.length; length++) {
      const { text } = partGrowing(behind.slice(0, length))
      expect('Okay.\n\nOrr'.startsWith(text)).toBe(true)
    }
    expect(partGrowing(behind).text).toBe('Okay.\n\nOrr')
    expect(partGrowing('<b>Orr').text).toBe('<b>Orr')
    expect(partGrowing('Orr').text).toBe('Orr')
    // Sixty letters are no mark that grows.
    const line = (length: number) => `Orr\n<b ${'x'.repeat(length - 3)}`
    expect(partGrowing(line(59)).text).toBe('Orr\n')
    expect(partGrowing(line(60)).text).toBe(line(60))
  })
})
