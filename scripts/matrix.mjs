// Runs the quickstart with each Node that Touchstone supports: its result must be the same to the last bit. The versions that
// are not installed here come from npm, which has Node as a package for each platform.
//
//     npm run matrix
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const NODES = ['20.20.2', '22.23.3', '24.21.0']
const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const folder = mkdtempSync(join(tmpdir(), 'touchstone-matrix-'))

/** Runs a program to its end. Throws where it fails. */
function call(program, args, env = process.env) {
  const { status, error } = spawnSync(program, args, {
    cwd: root,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (error) throw error
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}`)
}

/** The folder of a Node's program. */
function install(version) {
  if (process.version === `v${version}`) return dirname(process.execPath)
  const name = `node-${process.platform}-${process.arch}`
  const prefix = join(folder, version)
  call('npm', [
    'install',
    '--silent',
    '--ignore-scripts',
    '--no-save',
    '--prefix',
    prefix,
    `${name}@${version}`,
  ])
  return join(prefix, 'node_modules', name, 'bin')
}

function quickstart(version, node) {
  const at = (name) => join(folder, `${version}-${name}`)
  const places = ['--store', at('store'), '-o', at('experiment'), '--report', at('report.html')]
  call(node, ['bin/touchstone.js', 'run', 'configs/quickstart.yaml', ...places])
  return JSON.parse(readFileSync(join(at('experiment'), 'manifest.json'), 'utf8')).result
}

const results = new Map()
try {
  for (const version of NODES) {
    const bin = install(version)
    const node = join(bin, 'node')
    const result = quickstart(version, node)
    results.set(version, result)
    console.log(`node ${version}: quickstart ${result.slice(0, 12)}`)
  }
  if (new Set(results.values()).size !== 1) throw new Error('the results of the quickstart differ')
} finally {
  rmSync(folder, { recursive: true, force: true })
}
