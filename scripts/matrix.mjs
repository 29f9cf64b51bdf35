// Tries the packed package with each Node that Touchstone supports: `npx ./touchstone-VERSION.tgz init --demo` in an empty
// folder. The result must be the same to the last bit. Nodes that are not installed here come from npm, which has Node as a
// package for each platform.
//
//     npm run matrix
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { env } from 'node:process'
import { fileURLToPath } from 'node:url'

const NODES = ['20.20.2', '22.23.3', '24.21.0']
const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const folder = mkdtempSync(join(tmpdir(), 'touchstone-matrix-'))

/** Runs a program to its end. Throws if it fails. */
function call(program, args, { cwd = root, bin = '' } = {}) {
  const { status, error } = spawnSync(program, args, {
    cwd,
    // A cache of its own, so that npx leaves no package behind.
    env: { ...env, PATH: `${bin}${delimiter}${env.PATH}`, npm_config_cache: join(folder, 'cache') },
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

function quickstart(version, bin) {
  const cwd = join(folder, `demo-${version}`)
  mkdirSync(cwd)
  const tarball = readdirSync(folder).find((file) => file.endsWith('.tgz'))
  call('npx', ['--yes', `../${tarball}`, 'init', '--demo'], { cwd, bin })
  return JSON.parse(readFileSync(join(cwd, 'experiments', 'quickstart', 'manifest.json'), 'utf8'))
}

const results = new Set()
try {
  call('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder])
  for (const version of NODES) {
    const { result, machine } = quickstart(version, install(version))
    if (machine.node !== `v${version}`) throw new Error(`${version} was asked for, ${machine.node} ran`)
    results.add(result)
    console.log(`node ${version}: quickstart ${result.slice(0, 12)}`)
  }
  if (results.size !== 1) throw new Error('the results of the quickstart differ')
} finally {
  rmSync(folder, { recursive: true, force: true })
}
