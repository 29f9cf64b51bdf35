import { linkSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { zipSync } from 'fflate'
import { expect, test } from 'vitest'
import { readFiles } from '../../src/dataset/folder/read-files.ts'
import { loadDataset } from '../../src/dataset/load.ts'
import { temporaryFolder } from '../temporary.ts'

const GOOD = '# Lomm\n\nShips pay nine shells.\n'

/** Notices of a folder with one good file, which is always read. */
async function noticesOf(folder: string): Promise<readonly string[]> {
  const { documents, notices } = await loadDataset({ name: 'folder', params: { path: folder } }, '.')
  expect(documents.map(({ id }) => id)).toEqual(['good.md'])
  return notices
}

test('links in a circle, and names that are no ids, cost themselves only', async () => {
  const folder = temporaryFolder({ 'good.md': GOOD, 'two\nlines.md': 'x' })
  symlinkSync('b.md', join(folder, 'a.md'))
  symlinkSync('a.md', join(folder, 'b.md'))
  symlinkSync('own.md', join(folder, 'own.md'))
  mkdirSync(join(folder, 'sub'))
  symlinkSync('..', join(folder, 'sub', 'up'))
  const latin = Buffer.concat([Buffer.from(`${folder}/caf`), Buffer.from([0xe9]), Buffer.from('.md')])
  writeFileSync(latin, 'x')
  linkSync(latin, Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xff]), Buffer.from('.bin')]))
  expect(await noticesOf(folder)).toEqual([
    '2 files left out, name that is not UTF-8: caf\ufffd.md, \ufffd.bin',
    '1 file left out, name with control characters: two\\nlines.md',
    '4 links not followed, to nowhere, out of the folder, or to a folder that is read already: a.md, b.md, own.md and 1 more',
  ])
})

test('a file that is gone, or that the disk does not give, is named', async () => {
  const folder = temporaryFolder({})
  mkdirSync(join(folder, 'folder.md'))
  mkdirSync(join(folder, 'folder.html'))
  const files = ['gone.md', 'gone.html', 'folder.md', 'folder.html'].map((file) => ({ file, bytes: 9 }))
  const gone = 'file that is gone since the folder was searched'
  const refused = 'file that the disk does not give (EISDIR)'
  for (const cache of [undefined, temporaryFolder({})])
    expect(
      (await readFiles(folder, files, { cache })).map((file) => 'unreadable' in file && file.unreadable),
    ).toEqual([gone, gone, refused, refused])
})

test('a file of 2 GB is not opened', async () => {
  const folder = temporaryFolder({ 'good.md': GOOD, 'huge.txt': '', 'huge.pdf': '' })
  for (const name of ['huge.txt', 'huge.pdf']) truncateSync(join(folder, name), 2 * 2 ** 30)
  expect(await noticesOf(folder)).toEqual(['2 files left out, file of more than 256 MB: huge.pdf, huge.txt'])
})

test('zipped documents that hide their true size give no more than they promise', async () => {
  const bomb = (path: string) => {
    const bytes = Buffer.from(zipSync({ [path]: new Uint8Array(8 * 2 ** 20) }))
    bytes.writeUInt32LE(1000, bytes.indexOf('PK\u0001\u0002') + 24)
    return bytes
  }
  const folder = temporaryFolder({
    'good.md': GOOD,
    'bomb.docx': bomb('word/document.xml'),
    'bomb.pptx': bomb('ppt/slides/slide1.xml'),
    'bomb.xlsx': bomb('xl/workbook.xml'),
  })
  expect(await noticesOf(folder)).toEqual([
    '1 file left out, damaged Word document: bomb.docx',
    '1 file left out, damaged presentation: bomb.pptx',
    '1 file left out, damaged spreadsheet: bomb.xlsx',
  ])
})
