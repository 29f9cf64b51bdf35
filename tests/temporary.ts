import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, onTestFinished } from 'vitest'

/** A fresh folder with these files in it, gone when the test is over. */
export function temporaryFolder(files: Readonly<Record<string, string | Uint8Array>> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
  return folder
}

/** A fresh folder for all tests of a file or suite, gone after them. */
export function sharedFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-test-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
