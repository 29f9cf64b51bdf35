import { expect, it, test } from 'vitest'
import type { Message } from '../../../src/models/chat/chat-model.ts'
import { anthropicWire } from '../../../src/models/chat/wires/anthropic.ts'
import { googleWire } from '../../../src/models/chat/wires/google.ts'
import { koboldcppWire } from '../../../src/models/chat/wires/koboldcpp.ts'
import { azureWire, compatibleWire, openaiWire } from '../../../src/models/chat/wires/openai.ts'
import { EMPTY_DRAFT, keyHeader, type Wire } from '../../../src/models/chat/wires/wire.ts'

const messages: readonly Message[] = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'Who?' },
  { role: 'assistant', content: 'Orr' },
  { role: 'system', content: 'In English.' },
]
const schema = { type: 'object' }
const params = { temperature: 0.5, maxTokens: 50, seed: 7, reasoningEffort: 'low', schema }

const openaiBody = {
  model: 'm',
  messages,
  temperature: 0.5,
  seed: 7,
  reasoning_effort: 'low',
  response_format: { type: 'json_schema', json_schema: { name: 'answer', strict: true, schema } },
  stream: true,
  stream_options: { include_usage: true },
}
const turns = [
  { role: 'user', content: 'Who?' },
  { role: 'assistant', content: 'Orr' },
]
const BODIES: [string, Wire, streamed: object, plain: object][] = [
  ['openai', openaiWire, { ...openaiBody, max_completion_tokens: 50 }, { model: 'm', messages: turns }],
  ['compatible', compatibleWire, { ...openaiBody, max_tokens: 50 }, { model: 'm', messages: turns }],
  ['azure', azureWire, { ...openaiBody, max_completion_tokens: 50 }, { model: 'm', messages: turns }],
  [
    'anthropic',
    anthropicWire,
    {
      model: 'm',
      system: 'Be brief.\n\nIn English.',
      messages: turns,
      max_tokens: 50,
      temperature: 0.5,
      output_config: { effort: 'low' },
      stream: true,
    },
    { model: 'm', messages: turns, max_tokens: 4096 },
  ],
  [
    'google',
    googleWire,
    {
      contents: [
        { role: 'user', parts: [{ text: 'Who?' }] },
        { role: 'model', parts: [{ text: 'Orr' }] },
      ],
      systemInstruction: { parts: [{ text: 'Be brief.\n\nIn English.' }] },
      generationConfig: {
        temperature: 0.5,
        seed: 7,
        maxOutputTokens: 50,
        thinkingConfig: { thinkingLevel: 'low' },
        responseMimeType: 'application/json',
        responseJsonSchema: schema,
      },
    },
    {
      contents: [
        { role: 'user', parts: [{ text: 'Who?' }] },
        { role: 'model', parts: [{ text: 'Orr' }] },
      ],
      generationConfig: {},
    },
  ],
  [
    'koboldcpp',
    koboldcppWire,
    {
      prompt:
        '### System:\nBe brief.\n\n### Instruction:\nWho?\n\n### Response:\nOrr\n\n### System:\nIn English.\n\n### Response:\n',
      max_length: 50,
      stop_sequence: ['### Instruction:'],
      temperature: 0.5,
      sampler_seed: 7,
    },
    {
      prompt: '### Instruction:\nWho?\n\n### Response:\nOrr\n\n### Response:\n',
      max_length: 512,
      stop_sequence: ['### Instruction:'],
    },
  ],
]

test.each(BODIES)('%s is sent every param in its own words, and no key for an absent one', (...row) => {
  const [, wire, streamed, plain] = row
  const sent = (request: Parameters<Wire['body']>[0]) => JSON.parse(JSON.stringify(wire.body(request)))
  expect(sent({ model: 'm', messages, params, stream: true })).toEqual(streamed)
  expect(sent({ model: 'm', messages: turns as Message[], params: {}, stream: false })).toEqual(plain)
})

test('each wire sends its key in its own header, and none without a key', () => {
  expect(
    [openaiWire, azureWire, anthropicWire, googleWire, koboldcppWire].map((wire) => wire.headers('k')),
  ).toEqual([
    { authorization: 'Bearer k' },
    { 'api-key': 'k' },
    { 'anthropic-version': '2023-06-01', 'x-api-key': 'k' },
    { 'x-goog-api-key': 'k' },
    { authorization: 'Bearer k' },
  ])
  for (const wire of [openaiWire, azureWire, googleWire, koboldcppWire])
    expect(wire.headers(undefined)).toEqual({})
  expect(anthropicWire.headers(undefined)).toEqual({ 'anthropic-version': '2023-06-01' })
  expect(keyHeader('key', '')).toEqual({ key: '' })
})

/** Completion after each piece of a stream. */
const fold = (wire: Wire, ...pieces: object[]) => pieces.reduce(wire.fold, EMPTY_DRAFT)
const choices = (delta: object, finish_reason?: string) => ({ choices: [{ delta, finish_reason }] })

const DRAFTS: [string, Wire, pieces: object[], draft: object][] = [
  [
    'openai: text, reasoning, model and usage of several events',
    openaiWire,
    [
      { model: 'm-1', ...choices({ reasoning_content: 'h', reasoning: 'x' }) },
      choices({ reasoning: 'm' }),
      choices({ content: 'O' }, 'length'),
      { ...choices({ content: 'rr' }), usage: { prompt_tokens: 11, completion_tokens: 7 } },
      { model: '', choices: [] },
    ],
    {
      text: 'Orr',
      reasoning: 'hm',
      model: 'm-1',
      finish: 'length',
      usage: { input: 11, cachedInput: 0, output: 7, reasoning: 0 },
    },
  ],
  [
    'openai: reasoning that only the total counts',
    openaiWire,
    [{ usage: { prompt_tokens: 11, completion_tokens: 7, total_tokens: 318 } }],
    { usage: { input: 11, cachedInput: 0, output: 307, reasoning: 300 } },
  ],
  [
    'openai: a total of counts that are missing adds nothing',
    openaiWire,
    [{ usage: { completion_tokens: 7, total_tokens: 18 } }],
    { usage: { input: 0, cachedInput: 0, output: 7, reasoning: 0 } },
  ],
  [
    'openai: a refusal stays one whatever follows',
    openaiWire,
    [choices({ refusal: 'No.' }), choices({}, 'stop')],
    { finish: 'refusal' },
  ],
  [
    'openai: parts that hold no text or are no parts are left out',
    openaiWire,
    [
      choices({
        content: [
          'O',
          { text: 'r' },
          { type: 'output_text', text: 'r' },
          { type: 'text', text: '!' },
          { type: 'image_url', text: 'x' },
          { type: 'text', text: 5 },
          null,
          7,
        ],
      }),
    ],
    { text: 'Orr!' },
  ],
  [
    'openai: thinking among the parts, as a text or parts of its own',
    openaiWire,
    [choices({ reasoning: 'a', content: [{ thinking: 'b' }, { thinking: [{ text: 'c' }] }] })],
    { reasoning: 'abc' },
  ],
  ['openai: choices that are no list', openaiWire, [{ choices: {} }], {}],
  [
    'anthropic: text and thinking of several blocks, usage of the beginning and the end',
    anthropicWire,
    [
      {
        type: 'message_start',
        message: {
          model: 'm-1',
          usage: {
            input_tokens: 6,
            output_tokens: 1,
            cache_creation_input_tokens: 2,
            cache_read_input_tokens: 3,
          },
        },
      },
      { delta: { type: 'thinking_delta', thinking: 'h' } },
      {
        content: [
          { type: 'thinking', thinking: 'm' },
          { type: 'text', text: 'O' },
          { type: 'tool', text: 'x' },
        ],
      },
      { delta: { type: 'text_delta', text: 'rr' } },
      { delta: { stop_reason: 'max_tokens' }, usage: { output_tokens: 7 } },
      { type: 'message_stop' },
    ],
    {
      text: 'Orr',
      reasoning: 'hm',
      model: 'm-1',
      finish: 'length',
      usage: { input: 11, cachedInput: 3, output: 7 },
    },
  ],
  [
    'anthropic: a message without counts, and a piece that is no message',
    anthropicWire,
    [{ type: 'message_start' }, { type: 'other', message: { stop_reason: 'end_turn' } }, { usage: {} }],
    { usage: { input: 0, cachedInput: 0, output: 0 } },
  ],
  [
    'anthropic: content that is no list',
    anthropicWire,
    [{ content: {}, stop_reason: 'end_turn' }],
    { finish: 'stop' },
  ],
  [
    'google: the first candidate, its thoughts apart',
    googleWire,
    [
      { candidates: [{ content: { parts: [{ text: 'h', thought: true }] } }], modelVersion: 'm-1' },
      {
        candidates: [
          { content: { parts: [{ text: 'O' }, { text: 'm', thought: true }] }, finishReason: 'MAX_TOKENS' },
          { content: { parts: [{ text: 'Tarn' }] }, finishReason: 'STOP' },
        ],
      },
      {
        candidates: [{ content: { parts: [{ text: 'rr', thought: false }] } }],
        usageMetadata: {
          promptTokenCount: 11,
          candidatesTokenCount: 5,
          thoughtsTokenCount: 2,
          cachedContentTokenCount: 3,
        },
      },
      { candidates: {} },
      { candidates: [{ content: { parts: {} } }] },
    ],
    {
      text: 'Orr',
      reasoning: 'hm',
      model: 'm-1',
      finish: 'length',
      usage: { input: 11, cachedInput: 3, output: 7, reasoning: 2 },
    },
  ],
  [
    'google: a blocked prompt is a refusal',
    googleWire,
    [{ promptFeedback: { blockReason: 'SAFETY' } }],
    { finish: 'refusal' },
  ],
  [
    'koboldcpp: tokens of a stream',
    koboldcppWire,
    [{ token: 'O' }, { token: 'rr', finish_reason: 'length' }, { token: '', finish_reason: null }],
    { text: 'Orr', finish: 'length' },
  ],
  [
    'koboldcpp: the first of several results; an older version gives no reason and no counts',
    koboldcppWire,
    [{ results: [{ text: 'Orr' }, { text: 'Tarn', finish_reason: 'length' }] }],
    { text: 'Orr', finish: 'stop' },
  ],
  [
    'koboldcpp: counts, also of a prompt of one token',
    koboldcppWire,
    [{ results: [{ text: 'Orr', finish_reason: 'length', prompt_tokens: 1, completion_tokens: 7 }] }],
    { text: 'Orr', finish: 'length', usage: { input: 1, output: 7 } },
  ],
]

it.each(DRAFTS)('%s', (_, wire, pieces, draft) => {
  expect(fold(wire, ...pieces)).toEqual({ ...EMPTY_DRAFT, ...draft })
})
