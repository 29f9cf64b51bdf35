import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hashNames, recordedNames } from '../../src/corpus/graph/query-names.ts'
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

  it('have a key by content, wherever the file lies', () => {
    expect(recordedNames(written(LINES)).key).toBe(recordedNames(written(LINES)).key)
    expect(recordedNames(written(LINES)).key).not.toBe(recordedNames(written(`${LINES}\n`)).key)
  })

  it('are refused with every error and its line', () => {
    const path = written('{"text": "a"}\n{"text": "b", "names": ["x"]}\n[\n{"text": "b", "names": []}\n')
    expect(() => hashNames(path)).toThrow(
      /names\.jsonl:1: is not \{"text": .*\n.*names\.jsonl:3: is not valid JSON.*\n.*names\.jsonl:4: repeats a text above/,
    )
    expect(() => hashNames('/nowhere.jsonl')).toThrow('there is no such file (recorded names)')
  })
})
