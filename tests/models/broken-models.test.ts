import { readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { UserError } from '../../src/errors.ts'
import transformersEmbedder from '../../src/models/embedders/transformers.ts'
import { describeSharedModels, shared } from '../shared.ts'
import { temporaryFolder } from '../temporary.ts'

const MODEL = shared('models', 'all-MiniLM-L6-v2')
const FILES = ['config.json', 'tokenizer.json', 'tokenizer_config.json', 'onnx/model_quantized.onnx']

/** The model with one file's content changed, in a folder of this name. */
function changed(file: string, change: (bytes: Buffer) => Uint8Array | string): string {
  const name = 'model'
  const content = change(readFileSync(join(MODEL, file)))
  const folder = temporaryFolder({ [`${name}/onnx/README.md`]: '', [`${name}/${file}`]: content })
  for (const other of FILES) if (other !== file) symlinkSync(join(MODEL, other), join(folder, name, other))
  return join(folder, name)
}

async function open(model: string, more = {}) {
  const params = transformersEmbedder.params.parse({ model, workers: 1, ...more })
  return transformersEmbedder
    .make(params)
    .artifact({ terms: () => expect.fail() })
    .open('', {})
}

async function refusal(model: string, more = {}): Promise<UserError> {
  const error = await open(model, more).then(
    () => expect.fail('was accepted'),
    (error: unknown) => error,
  )
  expect(error).toBeInstanceOf(UserError)
  return error as UserError
}

const json = (change: (value: Record<string, never>) => unknown) => (bytes: Buffer) =>
  JSON.stringify(change(JSON.parse(bytes.toString())))
/** Numbers of words for which the model has no row. */
const beyond = json(({ model, ...rest }) => {
  const { vocab, ...more } = model as { vocab: Record<string, number> }
  const moved = Object.entries(vocab).map(([word, id]) => [word, id < 1000 ? id : id + 40_000])
  return { ...rest, model: { ...more, vocab: Object.fromEntries(moved) } }
})
const half = (bytes: Buffer) => bytes.subarray(0, bytes.length / 2)

describeSharedModels('a broken model', () => {
  it.each([
    ['no bytes', () => ''],
    ['half of it', half],
    ['null', () => 'null'],
    ['a list', () => '[]'],
    ['an object', () => '{}'],
    ['letters', () => 'version https://git-lfs.github.com/spec/v1'],
    ['a hundred thousand levels', () => '['.repeat(100_000)],
    ['no model', json(({ model: _, ...rest }) => rest)],
    ['a model of no type', json((value) => ({ ...value, model: { type: 'None' } }))],
    [
      'an empty vocabulary',
      json((value) => ({ ...value, model: { ...(value.model as object), vocab: {} } })),
    ],
    [
      'a vocabulary of null',
      json((value) => ({ ...value, model: { ...(value.model as object), vocab: null } })),
    ],
    ['a vocabulary beyond the model', beyond],
    ['no added tokens', json(({ added_tokens: _, ...rest }) => rest)],
    ['a normalizer of no type', json((value) => ({ ...value, normalizer: { type: 'None' } }))],
    ['a normalizer that is none', json((value) => ({ ...value, normalizer: 7 }))],
  ])('is told by its tokenizer.json: %s', async (_, change) => {
    const error = await refusal(changed('tokenizer.json', change))
    expect(error.diagnostics[0].file).toMatch(/model(\/(tokenizer\.json|onnx\/model_quantized\.onnx))?$/)
    expect(error.message.length).toBeLessThan(600)
  })
})
