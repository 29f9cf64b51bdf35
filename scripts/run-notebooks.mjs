// Runs the notebooks: `node scripts/run-notebooks.mjs [--check] [FILE...]`. Saves their outputs, or with --check compares them
// with what is saved. TypeScript cells run in Node as one module, as Deno's kernel would run them one after another: types are
// stripped, top-level await holds, the last expression of a cell is shown. Python ones run where their packages are.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from 'acorn'
import { transformSync } from 'esbuild'

const folder = join(dirname(fileURLToPath(import.meta.url)), '..', 'notebooks')
const argv = process.argv.slice(2)
const check = argv.includes('--check')
const named = argv.filter((one) => !one.startsWith('--'))
const files =
  named.length > 0
    ? named.map((one) => resolve(one))
    : readdirSync(folder)
        .filter((file) => file.endsWith('.ipynb'))
        .sort()
        .map((file) => join(folder, file))

/** Python packages that a notebook reads with. */
const PYTHON = ['pandas', 'polars', 'duckdb', 'pyarrow']

let failed = false
for (const file of files) {
  const notebook = JSON.parse(readFileSync(file, 'utf8'))
  const python = notebook.metadata.kernelspec.language === 'python'
  const missing = python ? missingPython() : []
  if (missing.length > 0) {
    console.error(`${basename(file)}: not run, Python lacks ${missing.join(', ')}`)
    continue
  }
  const outputs = python ? runPython(notebook) : runTypeScript(notebook)
  if (!outputs) {
    failed = true
    console.error(`failed: ${basename(file)}`)
    continue
  }
  const executed = `${JSON.stringify(withOutputs(notebook, outputs), null, 1)}\n`
  if (!check) writeFileSync(file, executed)
  else if (executed !== readFileSync(file, 'utf8')) {
    failed = true
    console.error(
      `${basename(file)}: its outputs are others than those that are saved; \`npm run notebooks\` saves them`,
    )
    continue
  }
  console.log(`${basename(file)}: ${outputs.length} cells`)
}
process.exitCode = failed ? 1 : 0

function codeCells({ cells }) {
  return cells.filter(({ cell_type }) => cell_type === 'code').map(({ source }) => [source].flat().join(''))
}

/** Outputs by code cell; undefined where a cell threw, which has been said by then. */
function runTypeScript(notebook) {
  const prelude = `
const __outputs = []
let __cell = -1
const __begin = () => { __cell++; __outputs.push([]) }
const __write = (text) => {
  const last = __outputs[__cell].at(-1)
  if (last?.output_type === 'stream') last.text += text
  else __outputs[__cell].push({ output_type: 'stream', name: 'stdout', text })
}
const { format: __format } = await import('node:util')
console.log = (...values) => __write(__format(...values) + '\\n')
const __show = async (value) => {
  const shown = await value
  if (shown === undefined) return
  const data = await shown?.[Symbol.for('Jupyter.display')]?.()
  __outputs[__cell].push({ output_type: 'execute_result', data: data ?? { 'text/plain': __format(shown) }, metadata: {} })
}
process.on('exit', (code) => {
  if (code === 0) process.stdout.write(JSON.stringify(__outputs))
  else process.stderr.write('in cell ' + (__cell + 1) + '\\n')
})
`
  const module =
    prelude +
    codeCells(notebook)
      .map((source) => `__begin()\n${shownLast(source)}`)
      .join('\n')
  const ran = spawnSync(process.execPath, ['--input-type=module', '-'], {
    cwd: folder,
    input: module,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  return ran.status === 0 ? JSON.parse(ran.stdout) : undefined
}

/** JavaScript of a cell whose last expression is shown. */
function shownLast(source) {
  const { code } = transformSync(source, {
    loader: 'ts',
    target: 'node20',
    format: 'esm',
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
  })
  const { body } = parse(code, { ecmaVersion: 'latest', sourceType: 'module' })
  const last = body.at(-1)
  if (last?.type !== 'ExpressionStatement') return code
  const { start, end } = last.expression
  return `${code.slice(0, last.start)}await __show(${code.slice(start, end)})\n`
}

function runPython(notebook) {
  const ran = spawnSync('python3', [join(folder, '..', 'scripts', 'run_cells.py')], {
    cwd: folder,
    input: JSON.stringify(codeCells(notebook)),
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  return ran.status === 0 ? JSON.parse(ran.stdout) : undefined
}

function missingPython() {
  return PYTHON.filter((name) => spawnSync('python3', ['-c', `import ${name}`]).status !== 0)
}

/** The notebook as Jupyter saves it: texts as lists of lines, an execution count a cell. */
function withOutputs(notebook, outputs) {
  let count = 0
  const cells = notebook.cells.map((cell) => {
    if (cell.cell_type !== 'code') return cell
    const execution_count = ++count
    const own = outputs[count - 1].map((output) =>
      output.output_type === 'stream'
        ? { ...output, text: lines(output.text) }
        : { ...output, data: bundle(output.data), execution_count },
    )
    return { ...cell, execution_count, outputs: own }
  })
  return { ...notebook, cells }
}

function bundle(data) {
  return Object.fromEntries(
    Object.entries(data).map(([type, value]) => [type, typeof value === 'string' ? lines(value) : value]),
  )
}

function lines(text) {
  return text.split(/(?<=\n)/)
}
