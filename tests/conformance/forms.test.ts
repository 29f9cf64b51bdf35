import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { commandFolders, describeFolders, FORMS, formFiles, unknownEntries } from './forms.ts'

describeFolders('every file is read', (folder) => {
  it('knows the form of everything in it', () => expect(unknownEntries(folder)).toEqual([]))

  it('finds one form for each JSON file', () =>
    expect(formFiles(folder).filter(({ forms }) => forms.length !== 1)).toEqual([]))

  it('has each form', () => {
    const found = new Set(formFiles(folder).flatMap(({ forms }) => forms))
    expect([...found].sort()).toEqual(Object.keys(FORMS).sort())
    expect(commandFolders(folder)).not.toEqual([])
  })
})

describe('forms of reference files', () => {
  const root = mkdtempSync(join(tmpdir(), 'forms-'))
  afterEach(() => rmSync(root, { recursive: true, force: true }))
  const write = (name: string, content: string) => {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), content)
  }

  it('are known by their keys, at any depth, and not by their names', () => {
    write('a.json', '{"cases": [null, {"n": 1, "edges": [], "reset": [1], "ppr": [1]}]}')
    write('deep/down/b.json', '{"cases": [{"items": [], "max_related_chunks": 1}]}')
    write('tool/how.txt', 'trec_eval -q q.test r.test -> o.test\n')
    write('README.md', '')
    expect(formFiles(root).map(({ file, forms }) => [file, ...forms])).toEqual([
      ['a.json', 'ppr'],
      ['deep/down/b.json', 'lightrag'],
    ])
    expect(commandFolders(root)).toEqual([{ folder: 'tool', commands: 'tool/how.txt' }])
    expect(unknownEntries(root)).toEqual([])
  })

  it('are missed by name where nobody knows them', () => {
    write('ppr.json', '{"cases": []}')
    write('bm25.json', '{"sets": [')
    write('list.json', '[1]')
    write('values.csv', 'a,b\n')
    write('folder/notes.txt', 'nothing\n')
    expect(unknownEntries(root)).toEqual(['bm25.json', 'folder', 'list.json', 'ppr.json', 'values.csv'])
  })
})
