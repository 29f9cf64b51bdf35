import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type FileDocument, readWith, Unreadable } from '../../../src/dataset/folder/reader.ts'
import { kindOfFile } from '../../../src/dataset/folder/readers/index.ts'

// A folder in tests/golden/documents is a case: files as people have them beside `expected.txt`, their texts and remarks.
const golden = join(import.meta.dirname, '../../golden/documents')
const folders = readdirSync(golden, { withFileTypes: true }).filter((entry) => entry.isDirectory())

function inWords({ part, title, text, remarks = [] }: FileDocument): string {
  const lines = remarks.map((remark) => {
    if (typeof remark === 'string') return `* ${remark}`
    return `* not read: ${remark.count}${remark.of ? ` of ${remark.of}` : ''} ${remark.what}`
  })
  return [`title: ${title}${part ? ` (${part})` : ''}`, ...lines, text].join('\n')
}

test.each(folders.map(({ name }) => name).sort())('documents: %s', async (name) => {
  const folder = join(golden, name)
  const texts: string[] = []
  for (const file of readdirSync(folder).sort()) {
    if (file === 'expected.txt') continue
    const reader = await kindOfFile(file)?.load()
    if (!reader) throw new Error(`${file} has no reader`)
    const read = await readWith(reader, readFileSync(join(folder, file)), file).catch((error: unknown) => {
      if (error instanceof Unreadable) return error.message
      throw error
    })
    texts.push(
      `== ${file}\n${typeof read === 'string' ? `left out: ${read}` : read.map(inWords).join('\n\n')}\n`,
    )
  }
  await expect(texts.join('\n')).toMatchFileSnapshot(join(folder, 'expected.txt'))
})
