import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readStyle } from '../report/assets.ts'
import { builtUrl } from '../threads.ts'

const HERE = dirname(fileURLToPath(import.meta.url))

/** Style and scripts by address. The style begins with the report's. */
export function readViewAssets(): ReadonlyMap<string, { readonly text: string; readonly type: string }> {
  const style = `${readStyle()}\n${readFileSync(join(HERE, 'view.css'), 'utf8')}`
  return new Map([
    ['/view.css', { text: style, type: 'text/css; charset=utf-8' }],
    ...['view.js', 'label.js', 'ask.js'].map((name): [string, { text: string; type: string }] => [
      `/${name}`,
      { text: readFileSync(builtUrl(`view/${name}`), 'utf8'), type: 'text/javascript; charset=utf-8' },
    ]),
  ])
}
