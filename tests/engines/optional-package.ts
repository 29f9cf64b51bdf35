import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { vi } from 'vitest'

/**
 * Installs a stand-in of an optional package in a new working folder, where `clientOf` looks for it. Returns a function that
 * removes it.
 */
export function installPackage(name: string, exported: Readonly<Record<string, unknown>>): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-test-'))
  const key = `stand-in of ${name}`
  Object.assign(globalThis, { [key]: exported })
  const at = join(folder, 'node_modules', name)
  mkdirSync(at, { recursive: true })
  writeFileSync(join(at, 'package.json'), JSON.stringify({ name, type: 'module', exports: './index.js' }))
  const lines = Object.keys(exported).map((name) => `export const ${name} = globalThis['${key}'].${name}\n`)
  writeFileSync(join(at, 'index.js'), lines.join(''))
  const working = vi.spyOn(process, 'cwd').mockReturnValue(folder)
  syncBuiltinESMExports()
  return () => {
    working.mockRestore()
    syncBuiltinESMExports()
    rmSync(folder, { recursive: true })
    Reflect.deleteProperty(globalThis, key)
  }
}
