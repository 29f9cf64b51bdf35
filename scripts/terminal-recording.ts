import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { firstCommands } from './first-commands.ts'

/**
 * `npm run recording`: clones the repository, runs README's first commands there, and writes what they print to
 * docs/quickstart.md. What a terminal draws over (progress) and npm's own lines are not in it.
 */
/** Stands for lines that were shown before. */
const AGAIN = '[... as above ...]'
const REPEATED = /\[\.\.\. as above \.\.\.\](?:\s*\[\.\.\. as above \.\.\.\])+/g

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const folder = mkdtempSync(join(tmpdir(), 'recording-'))
const clone = join(folder, 'touchstone')
try {
  execFileSync('git', ['clone', '--quiet', root, clone])
  symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'))
  const env = { ...process.env, NO_COLOR: '1', npm_config_loglevel: 'silent', COLUMNS: '80' }
  const recorded = firstCommands(readFileSync(join(root, 'README.md'), 'utf8')).map((command) => {
    console.error(`$ ${command}`)
    const line = command.replace(/^npx touchstone/, 'node bin/touchstone.js')
    const began = performance.now()
    const { status, stdout, stderr } = spawnSync('sh', ['-c', line], { cwd: clone, env, encoding: 'utf8' })
    if (status !== 0) throw new Error(`${command} ended with ${status}: ${stderr}`)
    console.error(`  ${((performance.now() - began) / 1000).toFixed(1)} s`)
    return { command, lines: `${cleaned(stderr)}${cleaned(stdout)}`.trim().split('\n') }
  })
  const seen = new Set<string>()
  const shown = recorded.map(({ command, lines }) => {
    const once = lines.flatMap((line, place) => {
      if (line === '' || !seen.has(line)) return [line]
      return place > 0 && seen.has(lines[place - 1]) ? [] : [AGAIN]
    })
    for (const line of lines) if (line !== '') seen.add(line)
    return `$ ${command}\n${once.join('\n').replace(REPEATED, AGAIN)}\n`
  })
  const path = join(root, 'docs', 'quickstart.md')
  const before = readFileSync(path, 'utf8')
  const block = /```text\n[\s\S]*?```/
  if (!block.test(before)) throw new Error('docs/quickstart.md has no text block for the recording')
  const text = before.replace(block, () => `\`\`\`text\n${shown.join('\n').trimEnd()}\n\`\`\``)
  writeFileSync(`${path}.tmp`, text)
  renameSync(`${path}.tmp`, path)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/** Without npm's and the terminal's own lines, and without the place of this clone. */
function cleaned(output: string): string {
  const lines = output
    .replaceAll(clone, '.')
    .split('\n')
    .map((line) => line.slice(line.lastIndexOf('\r') + 1).trimEnd())
    .filter((line) => !/^(npm |> )/.test(line))
  return `${lines.join('\n').trim()}\n`
}
