import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { MARKER } from '../../src/store/folder.ts'
import { openStore } from '../../src/store/store.ts'
import { runTogether } from '../experiment/together.ts'
import { word } from '../store/word.ts'
import { temporaryFolder } from '../temporary.ts'

test('four processes at once on a new store all finish, with one result', () => runTogether(3))

test('what another process has finished meanwhile stays, and one’s own is dropped', async () => {
  const root = join(temporaryFolder(), 'store')
  const key = word().key.slice(0, 32)
  const file = join(root, 'word', key, 'word.txt')
  // While the first builds, the second begins and finishes; its reader has the file open by then.
  await openStore(root).prepare(
    word('gold', async () => {
      await openStore(root).prepare(word())
      writeFileSync(file, 'of the other')
    }),
  )
  expect(readFileSync(file, 'utf8')).toBe('of the other')
  expect(readdirSync(root).sort()).toEqual([MARKER, 'word'])
  expect(readdirSync(join(root, 'word'))).toEqual([key])
  expect(existsSync(join(root, 'word', key, 'artifact.json'))).toBe(true)
})
