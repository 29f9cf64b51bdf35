// Compiles src/ to dist/. Written to a fresh folder and renamed, so that a build never leaves a half-made dist.
import { execFileSync } from 'node:child_process'
import { cpSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, buildSync, transformSync } from 'esbuild'
import { joinFiles } from './joined-bundle.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const require = createRequire(import.meta.url)
const tsc = join(dirname(require.resolve('typescript/package.json')), 'bin', 'tsc')
const fresh = join(root, `dist.${process.pid}.tmp`)

// Types are checked by `npm test`.
try {
  execFileSync(
    process.execPath,
    [tsc, '-p', join(root, 'tsconfig.build.json'), '--noCheck', '--outDir', fresh],
    { stdio: 'inherit' },
  )
} catch {
  // The compiler has said what is wrong.
  rmSync(fresh, { recursive: true, force: true })
  process.exit(1)
}
for (const file of readdirSync(join(root, 'src'), { recursive: true })) {
  if (/\.(css|wasm|json)$|prompts\/.*\.md$|tables\/decode\.js$/.test(file))
    cpSync(join(root, 'src', file), join(fresh, file))
}
const SCRIPTS = {
  'report/app.js': 'report/browser/main.tsx',
  'view/view.js': 'view/browser/view.ts',
  'view/label.js': 'view/browser/label.tsx',
}
for (const [script, entry] of Object.entries(SCRIPTS))
  buildSync({
    entryPoints: [join(root, 'src', entry)],
    outfile: join(fresh, script),

    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2022',
    charset: 'utf8',
    legalComments: 'none',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    logLevel: 'warning',
  })
/** Keeps a module's own address: files beside it are found from there, whatever file it was joined into. */
const ownUrl = {
  name: 'own-url',
  setup: ({ onLoad }) =>
    onLoad({ filter: /\.js$/ }, ({ path }) => {
      const { code } = transformSync(readFileSync(path, 'utf8'), {
        define: { 'import.meta.url': 'OWN_URL' },
        target: 'node20',
        charset: 'utf8',
      })
      const address = JSON.stringify(`../${relative(fresh, path)}`)
      const own = code.includes('OWN_URL')
        ? `const OWN_URL = new URL(${address}, import.meta.url).href\n`
        : ''
      return { contents: own + code }
    }),
}
await bundle()
rmSync(join(root, 'dist'), { recursive: true, force: true })
renameSync(fresh, join(root, 'dist'))

/**
 * Joins the modules behind the package's entries into fewer files, since Node takes about a third of a millisecond for each
 * one. All entries share them, so that custom code which imports the package gets the objects of the command that runs
 * it. An entry's own file hands on what its bundle exports; single modules stay for tests and types.
 */
async function bundle() {
  const modules = readdirSync(fresh, { recursive: true })
  const threads = modules.filter((file) => /(^|[/-])thread\.js$/.test(file))
  const entries = ['index.js', 'measures.js', 'cli/supervisor.js', ...threads]
  const names = Object.fromEntries(
    entries.map((file) => [file.replace(/\.js$/, '').replaceAll('/', '-'), file]),
  )
  const { metafile } = await build({
    entryPoints: Object.fromEntries(Object.entries(names).map(([name, file]) => [name, join(fresh, file)])),
    absWorkingDir: fresh,
    outdir: join(fresh, 'bundle'),
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
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
    writeFileSync(join(fresh, file), `${lines.join('\n')}\n`)
  }
  await joinFiles(fresh, metafile.outputs)
}
