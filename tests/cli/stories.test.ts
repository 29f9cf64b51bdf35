import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe } from 'vitest'
import { folderOf, testCases } from '../case-files.ts'
import { writeTowns } from '../experiment/experiments.ts'
import { callsIn } from './calls.ts'

/**
 * Each line of a case is a command line, whose outcome is the exit code and what it prints; `quiet: WORDS` leaves out what a command
 * that works prints. Other lines prepare or show files: `towns: FOLDER COUNT`, `copy: FROM TO`, `remove: PATH`, `show: PATH`,
 * `list: FOLDER`. `npx vitest run tests/cli/stories -u` writes the outcomes.
 */
const golden = join(import.meta.dirname, '../golden/stories')

describe('a story of the command line', () => {
  testCases(golden, async ({ lines, files }) => {
    const { folder, call } = callsIn(folderOf(files), {})
    const at = (path: string) => join(folder, path)
    const texts: string[] = []
    for (const line of lines) {
      texts.push(line)
      const [, step, rest] = /^(quiet|towns|copy|remove|show|list): (.*)$/.exec(line) ?? []
      const words = wordsOf(rest ?? line)
      if (step === 'towns') writeTowns(at(words[0]), { towns: Number(words[1]) })
      else if (step === 'copy') copy(at(words[0]), at(words[1]))
      else if (step === 'remove') rmSync(at(words[0]), { recursive: true })
      else if (step === 'show') texts.push(...shown(folder, words[0]))
      else if (step === 'list') texts.push(readdirSync(at(words[0])).sort().join(' '))
      else {
        const { code, out, err } = await call(...words)
        const printed = step === 'quiet' && code === 0 ? [] : [out, err]
        texts.push(`exit ${code}`, ...printed.map((text) => stable(text, folder)).filter(Boolean))
      }
    }
    return texts
  })
})

/** Words of a command line; quotes hold words with spaces. */
function wordsOf(line: string): string[] {
  return (line.match(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g) ?? []).map((word) =>
    word.replace(/^(["'])([\s\S]*)\1$/, '$2'),
  )
}

function copy(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true })
  copyFileSync(from, to)
}

/** Text without the folder's and the clone's names, times and hashes, which are others each time or for each version. */
function stable(text: string, folder: string): string {
  return text
    .replaceAll(`${folder}/`, '')
    .replaceAll(folder, '.')
    .replace(/\$schema=\S+\/(?=docs\/reference\/)/g, '$schema=')
    .replace(/ *\d+\.\d+ ms\b/g, ' N ms')
    .replace(/("(?:\w*M|m)illiseconds"|"seconds"): ?[\d.]+/g, '$1: N')
    .replace(
      /(passed|\d\/\d) +(ms|\d+\.\d)$/gm,
      (_, before, last) => `${before} ${last === 'ms' ? last : 'N'}`,
    )
    .replace(/\b[0-9a-f]{8}(?:[0-9a-f]{4})?\b(?=[);\n ]|$)/g, 'HASH')
    .trimEnd()
}

/** A file, or every file below a folder. */
function shown(folder: string, path: string): string[] {
  if (!existsSync(join(folder, path))) return []
  if (statSync(join(folder, path)).isFile())
    return [`-- ${path}`, stable(readFileSync(join(folder, path), 'utf8'), folder)]
  return readdirSync(join(folder, path))
    .sort()
    .flatMap((name) => shown(folder, `${path}/${name}`))
}
