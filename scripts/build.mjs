// Compiles src/ to dist/, unless dist/ is current; `--types` adds the type declarations. Written to a fresh folder and
// renamed, so that a build never leaves a half-made dist.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, buildSync, transformSync } from 'esbuild'
import { joinFiles } from './joined-bundle.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const require = createRequire(import.meta.url)
/** Packages that are installed with this one; the others become part of the bundle. */
const { dependencies, peerDependencies } = require('../package.json')
const installed = Object.keys({ ...dependencies, ...peerDependencies })
const dist = join(root, 'dist')
const fresh = join(root, `dist.${process.pid}.tmp`)
const sources = readdirSync(join(root, 'src'), { recursive: true }).sort()

const SCRIPTS = {
  'report/app.js': 'report/browser/main.tsx',
  'view/view.js': 'view/browser/view.ts',
  'view/label.js': 'view/browser/label.tsx',
  'view/ask.js': 'view/browser/ask.tsx',
}
/** Gives a module its own address: files beside it are found from there, whatever file it was joined into. */
const ownUrl = {
  name: 'own-url',
  setup: ({ onLoad }) =>
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8')
      if (!text.includes('import.meta.url')) return undefined
      const address = JSON.stringify(`../${relative(join(root, 'src'), path).replace(/\.ts$/, '.js')}`)
      const { code } = transformSync(text, {
        define: { 'import.meta.url': 'OWN_URL' },
        loader: 'ts',
        target: 'node20',
        charset: 'utf8',
      })
      return { contents: `const OWN_URL = new URL(${address}, import.meta.url).href\n${code}` }
    }),
}

/** Hash of the inputs of the scripts, and of the type declarations once there are any. */
const stamps = { scripts: '.inputs', types: '.inputs-of-types' }
const inputs = hashOfInputs()
const isCurrent = (stamp) =>
  existsSync(join(dist, stamp)) && readFileSync(join(dist, stamp), 'utf8') === inputs
if (!isCurrent(stamps.scripts)) await compile()
if (process.argv.includes('--types') && !isCurrent(stamps.types)) declareTypes()

function hashOfInputs() {
  const builders = [
    'package.json',
    'package-lock.json',
    'tsconfig.json',
    'tsconfig.build.json',
    'scripts/build.mjs',
    'scripts/joined-bundle.mjs',
  ]
  const files = sources.map((file) => join('src', file)).filter((file) => /\.\w+$/.test(file))
  const hash = createHash('sha256')
  for (const file of [...builders, ...files]) {
    const content = readFileSync(join(root, file))
    hash.update(`${file} ${content.length}\n`).update(content)
  }
  return hash.digest('hex')
}

async function compile() {
  for (const file of sources) {
    if (/\.(bib|br|css|wasm|json|js)$|prompts\/.*\.md$/.test(file))
      cpSync(join(root, 'src', file), join(fresh, file))
  }
  const scripts = Object.entries(SCRIPTS).map(([script, entry]) =>
    buildSync({
      entryPoints: [join(root, 'src', entry)],
      outfile: join(fresh, script),
      bundle: true,
      minify: true,
      format: 'iife',
      target: 'es2022',
      charset: 'utf8',
      legalComments: 'none',
      banner: { js: '/* Licences of what is in here: dist/LICENSES.txt of the package touchstone */' },
      jsx: 'automatic',
      jsxImportSource: 'preact',
      logLevel: 'warning',
      metafile: true,
    }),
  )
  writeLicences([...scripts.map(({ metafile }) => metafile), await bundle()])
  await writeHelp()
  // The report holds its script inside itself.
  if (/<\/script|<!--/i.test(readFileSync(join(fresh, 'report/app.js'), 'utf8')))
    throw new Error('report/app.js holds text that would end a script element')
  writeFileSync(join(fresh, stamps.scripts), inputs)
  rmSync(dist, { recursive: true, force: true })
  renameSync(fresh, dist)
}

/** Writes the words of every command, so that help loads no command. */
async function writeHelp() {
  const { loadCommands } = await import(join(fresh, 'cli/commands.js'))
  writeFileSync(join(fresh, 'cli/help.json'), JSON.stringify(await loadCommands()))
}

/** Types are checked by `npm test`. */
function declareTypes() {
  const tsc = join(dirname(require.resolve('typescript/package.json')), 'bin', 'tsc')
  const args = [
    '-p',
    join(root, 'tsconfig.build.json'),
    '--noCheck',
    '--emitDeclarationOnly',
    '--outDir',
    dist,
  ]
  execFileSync(process.execPath, [tsc, ...args], { stdio: 'inherit' })
  writeFileSync(join(dist, stamps.types), inputs)
}

/**
 * Joins the modules behind the package's entries into fewer files, since Node takes about a third of a millisecond for each
 * one. All entries share them, so that custom code which imports the package gets the objects of the command that runs
 * it. An entry's own file hands on what its bundle exports.
 */
async function bundle() {
  const threads = sources.filter((file) => /(^|[/-])thread\.ts$/.test(file))
  const entries = ['index.ts', 'measures.ts', 'cli/supervisor.ts', 'cli/commands.ts', ...threads]
  const names = Object.fromEntries(
    entries.map((file) => [file.replace(/\.ts$/, '').replaceAll('/', '-'), file]),
  )
  const { metafile } = await build({
    entryPoints: Object.fromEntries(
      Object.entries(names).map(([name, file]) => [name, join(root, 'src', file)]),
    ),
    absWorkingDir: fresh,
    outdir: join(fresh, 'bundle'),
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    external: [...installed, 'canvas'],
    chunkNames: '[name]-[hash]',
    charset: 'utf8',
    logLevel: 'warning',
    metafile: true,
    plugins: [ownUrl],
  })
  for (const [name, file] of Object.entries(names)) {
    const from = JSON.stringify(relative(dirname(file), `bundle/${name}.js`).replace(/^(?!\.)/, './'))
    const { exports } = metafile.outputs[`bundle/${name}.js`]
    const lines = [
      `export * from ${from}`,
      ...(exports.includes('default') ? [`export { default } from ${from}`] : []),
    ]
    const entry = join(fresh, file.replace(/\.ts$/, '.js'))
    mkdirSync(dirname(entry), { recursive: true })
    writeFileSync(entry, `${lines.join('\n')}\n`)
  }
  await joinFiles(fresh, metafile.outputs)
  return metafile
}

/** Writes the licences of all packages of which code is in dist, and of the table of tokens. */
function writeLicences(metafiles) {
  const paths = metafiles.flatMap(({ inputs }) => Object.keys(inputs))
  const packages = new Set(
    paths.flatMap((path) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.slice(1) ?? []),
  )
  const texts = [...packages].sort().map((name) => {
    const folder = join(root, 'node_modules', name)
    const file = readdirSync(folder).find((file) => /^licen[cs]e/i.test(file))
    if (!file) throw new Error(`${name} is in the bundle and has no licence file`)
    return `${name}\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`
  })
  const tokens = readFileSync(join(root, 'src', 'text', 'o200k.LICENSE'), 'utf8')
  const head = 'Touchstone contains code or data of these packages, under their licences.\n'
  writeFileSync(
    join(fresh, 'LICENSES.txt'),
    [head, `tiktoken\n\n${tokens}`, ...texts].join(`\n${'-'.repeat(80)}\n\n`),
  )
}
