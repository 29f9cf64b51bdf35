import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { recordedNames } from '../../src/corpus/graph/names.ts'
import { openStore } from '../../src/store/store.ts'
import { temporaryFolder } from '../temporary.ts'

const written = (text: string) => join(temporaryFolder({ 'names.jsonl': text }), 'names.jsonl')
const LINES = '{"text": "Where is Calder?", "names": ["Calder", "Calder"]}\n\n{"text": "Who?", "names": []}\n'

describe('names that another program found', () => {
  it('are read by the question, each once', async () => {
    const path = written(LINES)
    const store = openStore(temporaryFolder())
    const names = await store.open(recordedNames(path))
    expect(names.of('Where is Calder?')).toEqual(['Calder'])
    expect(names.of('Who?')).toEqual([])
    expect(() => names.of('Which?')).toThrow(/names\.jsonl: holds no names of .*Which/)
  })
})
