import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const HERE = dirname(fileURLToPath(import.meta.url))
/** Folder of the built application, which scripts/build.mjs bundles from browser/; tests read that of dist/. */
const BUILT = HERE.replace(/([\\/])src([\\/]report)$/, '$1dist$2')

/** Inline parts of the page: styles, Vega with its interpreter, and the page's own script. */
export interface Assets {
  readonly style: string
  readonly scripts: readonly string[]
}

/** In the order of the cascade. */
const STYLES = ['colours', 'text', 'layout', 'tables', 'figures', 'drill', 'network', 'print']

export function readAssets(): Assets {
  const require = createRequire(import.meta.url)
  const vega = join(dirname(require.resolve('vega/vega-schema.json')), 'vega.min.js')
  const interpreter = readFileSync(require.resolve('vega-interpreter'), 'utf8')
  const scripts = [
    withoutMap(readFileSync(vega, 'utf8')),
    asScript(interpreter),
    readFileSync(join(BUILT, 'app.js'), 'utf8'),
  ]
  return { style: readStyle(), scripts: scripts.map(embeddable) }
}

export function readStyle(): string {
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
