import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readStyle } from '../report/assets.ts'

const HERE = dirname(fileURLToPath(import.meta.url))
/** Folder of the built script, which scripts/build.mjs bundles from browser/; tests read that of dist/. */
const BUILT = HERE.replace(/([\\/])src([\\/]view)$/, '$1dist$2')

/** Style and script of the pages, by address. The style begins with the report's. */
export function readViewAssets(): ReadonlyMap<string, { readonly text: string; readonly type: string }> {
  const style = `${readStyle()}\n${readFileSync(join(HERE, 'view.css'), 'utf8')}`
  return new Map([
    ['/view.css', { text: style, type: 'text/css; charset=utf-8' }],
    ...['view.js', 'label.js'].map((name): [string, { text: string; type: string }] => [
      `/${name}`,
      { text: readFileSync(join(BUILT, name), 'utf8'), type: 'text/javascript; charset=utf-8' },
    ]),
  ])
}
