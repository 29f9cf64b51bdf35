#!/usr/bin/env node
// Counts the modules of src/ that a command loads, and those of which a named function runs, by folder; and the files of
// dist/ in which they are.
// node scripts/loaded-modules.mjs run config.yaml --store S -o O --workers 1      (LIST=1 names every module)
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { env, execPath } from 'node:process'
import { fileURLToPath } from 'node:url'

const root = new URL('..', import.meta.url)
const dist = new URL('dist/', root).href
const coverage = mkdtempSync(join(tmpdir(), 'loaded-modules-'))
const { status } = spawnSync(
  execPath,
  [fileURLToPath(new URL('bin/touchstone.js', root)), ...process.argv.slice(2)],
  { env: { ...env, NODE_V8_COVERAGE: coverage }, stdio: ['ignore', 'ignore', 'inherit'] },
)
const loaded = new Map()
const files = new Set()
for (const file of readdirSync(coverage)) {
  for (const { url, functions } of JSON.parse(readFileSync(join(coverage, file), 'utf8')).result) {
    if (!url.startsWith(dist)) continue
    files.add(url)
    // The build writes the name of each module above its code.
    const modules = [...readFileSync(new URL(url), 'utf8').matchAll(/^\/\/!? \.\.\/src\/(\S+\.[jt]s)$/gm)]
    const ran = functions
      .filter(({ functionName, ranges: [{ count }] }) => functionName !== '' && count > 0)
      .map(({ ranges: [{ startOffset }] }) => startOffset)
    for (const [at, { 1: path, index }] of modules.entries()) {
      const end = modules[at + 1]?.index ?? Number.POSITIVE_INFINITY
      const runs = ran.some((start) => start > index && start < end)
      loaded.set(path, loaded.get(path) || runs)
    }
  }
}
rmSync(coverage, { recursive: true })
const folders = new Map()
for (const module of loaded) {
  const [folder] = module[0].split('/')
  folders.set(folder, [...(folders.get(folder) ?? []), module])
}
const line = (name, modules) =>
  console.log(`${name}\t${modules.length} loaded\t${modules.filter(([, runs]) => runs).length} run`)
for (const [folder, modules] of [...folders].sort(([, a], [, b]) => b.length - a.length))
  line(folder, modules)
line('all', [...loaded])
console.log(`files\t${files.size}`)
if (env.LIST)
  for (const [path, runs] of [...loaded].sort()) console.log(`${runs ? 'runs  ' : 'loaded'} ${path}`)
process.exitCode = status ?? 1
