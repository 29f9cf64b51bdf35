// Joins files of dist/bundle that the same commands read, since Node takes about a third of a millisecond for each one.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { build } from 'esbuild'

/** Commands that are often started; entries and these decide which files are joined. */
const COMMANDS = ['run', 'prepare', 'leaderboard', 'view', 'score', 'compare']

/**
 * esbuild makes a file for each set of modules that the same `import()`s reach, more than a hundred of them for `run`. Those
 * that the same entries and commands reach become one file, so none of these loads more than before. Other files stay, since
 * something loaded late would load its neighbours too. `outputs`: of esbuild's metafile; `folder` holds the folder `bundle`.
 */
export async function joinFiles(folder, outputs) {
  const reachedFrom = (root) => {
    const reached = new Set([root])
    for (const file of reached)
      for (const { path, kind, external } of outputs[file].imports)
        if (kind === 'import-statement' && !external) reached.add(path)
    return reached
  }
  const imported = new Set(
    Object.values(outputs).flatMap(({ imports }) =>
      imports.filter(({ kind }) => kind === 'dynamic-import').map(({ path }) => path),
    ),
  )
  const entries = Object.keys(outputs).filter((file) => outputs[file].entryPoint && !imported.has(file))
  const [run, ...others] = COMMANDS.map((name) => {
    const found = Object.keys(outputs).find(
      (file) => outputs[file].entryPoint === `../src/cli/commands/${name}.ts`,
    )
    if (!found) throw new Error(`no file of the bundle is the command ${name}`)
    return reachedFrom(found)
  })
  const readers = [...others, ...entries.map(reachedFrom)]
  const groups = new Map()
  for (const file of run) {
    const key = readers.map((reached) => Number(reached.has(file))).join('')
    groups.set(key, [...(groups.get(key) ?? []), file])
  }
  /** New place of each export of a joined file. */
  const moved = new Map()
  const joined = await Promise.all(
    [...groups.values()]
      .filter((files) => files.length > 1)
      .map((files, number) => {
        const path = `joined-${number}.js`
        for (const [at, file] of files.entries())
          moved.set(basename(file), {
            path,
            prefix: `f${at}_`,
            keep: imported.has(file),
            exports: outputs[file].exports,
          })
        return joinGroup(folder, files, outputs, path)
      }),
  )
  for (const file of Object.keys(outputs)) {
    const at = join(folder, file)
    const own = moved.get(basename(file))
    if (!own) writeFileSync(at, redirected(readFileSync(at, 'utf8'), moved))
    else if (!own.keep) rmSync(at)
    else {
      const names = own.exports.map((name) => `${own.prefix}${name} as ${name}`)
      writeFileSync(at, `export { ${names.join(', ')} } from './${own.path}'\n`)
    }
  }
  for (const { path, text } of joined) writeFileSync(join(folder, 'bundle', path), redirected(text, moved))
}

async function joinGroup(folder, files, outputs, path) {
  const names = new Set(files.map((file) => basename(file)))
  const lines = files.map((file, at) => {
    const own = outputs[file].exports.map((name) => `${name} as f${at}_${name}`)
    return `export { ${own.join(', ')} } from './${basename(file)}'`
  })
  const { outputFiles } = await build({
    stdin: { contents: lines.join('\n'), resolveDir: join(folder, 'bundle') },
    absWorkingDir: folder,
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    charset: 'utf8',
    legalComments: 'inline',
    logLevel: 'warning',
    plugins: [
      {
        name: 'group',
        setup({ onResolve, onLoad }) {
          onResolve({ filter: /./ }, ({ path, kind }) =>
            kind !== 'dynamic-import' && path.startsWith('./') && names.has(basename(path))
              ? undefined
              : { path, external: true },
          )
          // The name of each module stays above its code.
          onLoad({ filter: /\.js$/ }, ({ path }) => ({
            contents: readFileSync(path, 'utf8').replace(/^\/\/ (\S+\.[jt]s)$/gm, '//! $1'),
          }))
        },
      },
    ],
  })
  // esbuild names the joined files too; the modules' own names are enough.
  return { path, text: outputFiles[0].text.replace(/^\/\/ bundle\/\S+\.js\n/gm, '') }
}

/** Text of a file with its imports from joined files taken from where these are now. */
function redirected(text, moved) {
  return text.replace(/^import (?:\{([^{}]*)\} from )?"\.\/([^"]+)";$/gm, (line, list, file) => {
    const to = moved.get(file)
    if (!to) return line
    if (list === undefined) return `import "./${to.path}";`
    const names = list.split(',').map((one) => {
      const [name, alias = name] = one.trim().split(' as ')
      return `${to.prefix}${name} as ${alias}`
    })
    return `import { ${names.join(', ')} } from "./${to.path}";`
  })
}
