import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isAlive } from './processes.ts'
import { HOST, temporaryName, writerOf } from './write.ts'

/** Makes a temporary folder that only this user can read, and removes those that killed processes left. */
export function openScratch(): { readonly folder: string; remove(): void } {
  for (const name of readdirSync(tmpdir())) {
    const writer = name.startsWith('touchstone.') ? writerOf(name) : null
    if (writer?.host === HOST && !isAlive(writer.pid, writer.started)) removeFolder(join(tmpdir(), name))
  }
  const folder = temporaryName(join(tmpdir(), 'touchstone'))
  mkdirSync(folder, { mode: 0o700 })
  return { folder, remove: () => removeFolder(folder) }
}

function removeFolder(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true })
  } catch {
    // It belongs to another user.
  }
}
