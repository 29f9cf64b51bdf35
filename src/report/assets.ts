import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const HERE = dirname(fileURLToPath(import.meta.url))

/** Inline parts of the page: styles, Vega with its interpreter, and the page's own script. */
export interface Assets {
  readonly style: string
  readonly scripts: readonly string[]
}

/** In the order of the cascade. */
const STYLES = ['colours', 'text', 'layout', 'tables', 'figures', 'drill', 'print']

export function readAssets(): Assets {
  const require = createRequire(import.meta.url)
  const vega = join(dirname(require.resolve('vega/vega-schema.json')), 'vega.min.js')
  const interpreter = readFileSync(require.resolve('vega-interpreter'), 'utf8')
  const scripts = [
    withoutMap(readFileSync(vega, 'utf8')),
    asScript(interpreter),
    bundle(modulesIn(join(HERE, 'browser'))),
  ]
  return { style: readStyle(), scripts: scripts.map(embeddable) }
}

function readStyle(): string {
  return STYLES.map((name) => readFileSync(join(HERE, 'style', `${name}.css`), 'utf8')).join('\n')
}

/** The interpreter comes as a module only: its one import is part of Vega, its one export becomes a global. */
function asScript(module: string): string {
  const body = withoutMap(module)
    .replace(/^import \{([^}]*)\} from 'vega-util';$/m, 'const {$1} = vega')
    .replace(
      /^export \{ expression as expressionInterpreter \};$/m,
      'return { expressionInterpreter: expression }',
    )
  if (/^(import|export) /m.test(body)) throw new Error('vega-interpreter has another form than expected')
  return `const vegaInterpreter = (() => {\n${body}\n})()\n`
}

function modulesIn(folder: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(folder)
      .filter((name) => name.endsWith('.js'))
      .map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
  )
}

/**
 * One script of several modules: in the order of their imports, without the import and export words, in one block
 * scope. Enough for modules that import by name from one another and declare no name twice (the block then fails to
 * parse, and the tests with it).
 */
export function bundle(modules: Readonly<Record<string, string>>, entry = 'main.js'): string {
  const parts: string[] = []
  const seen = new Set<string>()
  const add = (name: string) => {
    if (seen.has(name)) return
    seen.add(name)
    const source = modules[name]
    if (source === undefined) throw new Error(`the page's script imports ${name}, which does not exist`)
    for (const [, imported] of source.matchAll(/^import \{[^}]*\} from '\.\/([^']+)'$/gm)) add(imported)
    parts.push(source.replace(/^import \{[^}]*\} from '[^']+'\n/gm, '').replace(/^export /gm, ''))
  }
  add(entry)
  return `'use strict'\n{\n${parts.join('\n')}\n}\n`
}

function withoutMap(script: string): string {
  return script.replace(/^\/\/# sourceMappingURL=.*$/gm, '')
}

/** Escapes text that would end a script element. */
function embeddable(script: string): string {
  return script.replace(/<\/(script)/gi, '<\\/$1').replace(/<!--/g, '<\\!--')
}

/** Content-Security-Policy source of an inline script or style. */
export function hashSource(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}
