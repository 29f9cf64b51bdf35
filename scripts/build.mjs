// Compiles src/ to dist/. Written to a fresh folder and renamed, so that a build never leaves a half-made dist.
import { execFileSync } from 'node:child_process'
import { cpSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildSync } from 'esbuild'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const require = createRequire(import.meta.url)
const tsc = join(dirname(require.resolve('typescript/package.json')), 'bin', 'tsc')
const fresh = join(root, `dist.${process.pid}.tmp`)

try {
  execFileSync(process.execPath, [tsc, '-p', join(root, 'tsconfig.build.json'), '--outDir', fresh], {
    stdio: 'inherit',
  })
} catch {
  // The compiler has said what is wrong.
  rmSync(fresh, { recursive: true, force: true })
  process.exit(1)
}
for (const file of readdirSync(join(root, 'src'), { recursive: true })) {
  if (/\.(css|wasm|json)$|prompts\/.*\.md$|external\/guard\.js$|tables\/decode\.js$/.test(file))
    cpSync(join(root, 'src', file), join(fresh, file))
}
const SCRIPTS = { 'report/app.js': 'report/browser/main.tsx', 'view/view.js': 'view/browser/view.ts' }
for (const [script, entry] of Object.entries(SCRIPTS))
  buildSync({
    entryPoints: [join(root, 'src', entry)],
    outfile: join(fresh, script),
    ...{
      bundle: true,
      minify: true,
      format: 'iife',
      target: 'es2022',
      charset: 'utf8',
      legalComments: 'none',
    },
    ...{ jsx: 'automatic', jsxImportSource: 'preact', logLevel: 'warning' },
  })
rmSync(join(root, 'dist'), { recursive: true, force: true })
renameSync(fresh, join(root, 'dist'))
