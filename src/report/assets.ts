import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { builtUrl } from '../threads.ts'

const HERE = dirname(fileURLToPath(import.meta.url))

/** Inline style and script of the page. The build leaves nothing in the script that ends an element. */
export interface Assets {
  readonly style: string
  readonly script: string
}

/** In cascade order. */
const STYLES = ['colours', 'page', 'figures', 'queries', 'print']

export function readAssets(): Assets {
  return { style: readStyle(), script: readFileSync(builtUrl('report/app.js'), 'utf8') }
}

export function readStyle(): string {
  return STYLES.map((name) => readFileSync(join(HERE, 'style', `${name}.css`), 'utf8')).join('\n')
}

export function policyOf({ script, style }: Assets): string {
  return `default-src 'none'; script-src ${hashSource(script)}; style-src ${hashSource(style)}; img-src data:; base-uri 'none'; form-action 'none'`
}

/** Content-Security-Policy source of an inline script or style. */
function hashSource(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}
