import { expect, it } from 'vitest'
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
