import { cpSync, readdirSync, readFileSync, renameSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { loadConfig } from '../../src/config/load.ts'
import { describeModels } from '../shared.ts'
import { temporaryFolder } from '../temporary.ts'

const folder = resolve(import.meta.dirname, '../../configs/systems')

/** Overrides that the comments of a config propose, but for those with a placeholder of a path. */
function proposedIn(name: string): string[] {
  const comments = readFileSync(join(folder, name), 'utf8').match(/^#.*$/gm) ?? []
  return [...comments.join('\n').matchAll(/--set (?:"([^"]+)"|(\S+))/g)]
    .map(([, quoted, bare]) => quoted ?? bare)
    .filter((set) => !set.includes('path/to'))
}

/** Folder of a model, in place of models that would be downloaded. */
function modelFolder(): string {
  const model = join(temporaryFolder(), 'model')
  cpSync(resolve(import.meta.dirname, '../fixtures/cross-encoder'), model, { recursive: true })
  renameSync(join(model, 'onnx/model.onnx'), join(model, 'onnx/model_quantized.onnx'))
  return model
}

const names = readdirSync(folder).filter((name) => name.endsWith('.yaml') && proposedIn(name).length > 0)

test('three configs of described systems propose other models', () => {
  expect(names).toEqual(['rag-ing.yaml', 'rag-service.yaml', 'rulebook.yaml'])
})

describeModels('models', () => {
  test.each(names)('the overrides that the comments of %s propose are understood', async (name) => {
    const model = modelFolder()
    const set = proposedIn(name).map((setting) =>
      setting.replace(/(?<=transformers: \{model: )[^/{}]+\/[^/{}]+/g, model),
    )
    const { trials } = await loadConfig(join(folder, name), { set, env: {}, folder: '/' })
    expect(trials.length).toBeGreaterThan(0)
  })
})
