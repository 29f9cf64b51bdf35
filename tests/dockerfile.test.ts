import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'

/** No image is built here: these are the rules that its file keeps. */
const root = resolve(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

interface Instruction {
  readonly name: string
  readonly rest: string
}

/** A Dockerfile's instructions, continued lines joined, without comments. */
function instructions(text: string): Instruction[] {
  return text
    .replace(/^\s*#.*\n/gm, '')
    .replace(/\\\n/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [, name, rest] = /^([A-Z]+) +(.*)$/.exec(line) ?? []
      expect(name, `an instruction: ${line}`).toBeDefined()
      return { name, rest: rest.replace(/\s+/g, ' ') }
    })
}

const all = instructions(read('Dockerfile'))
const of = (name: string) => all.filter((instruction) => instruction.name === name).map(({ rest }) => rest)
const last = all.slice(all.map(({ name }) => name).lastIndexOf('FROM'))

describe('the Dockerfile', () => {
  test('pins its image to a version that the matrix runs', () => {
    const images = of('FROM').map((rest) => rest.split(' ')[0])
    expect(new Set(images).size).toBe(1)
    const [, version] = /^node:(\d+\.\d+\.\d+)-bookworm-slim$/.exec(images[0]) ?? []
    expect(read('scripts/matrix.mjs')).toContain(`'${version}'`)
  })

  test('ends as a user without rights, with a program in exec form that is in the package', () => {
    expect(last.filter(({ name }) => name === 'USER').at(-1)?.rest).toBe('node')
    const [program, file] = JSON.parse(last.find(({ name }) => name === 'ENTRYPOINT')?.rest ?? '[]')
    const copied = last
      .find(({ name }) => name === 'COPY')
      ?.rest.split(' ')
      .at(-1)
    expect([program, file]).toEqual(['node', `${copied}/bin/touchstone.js`])
    expect(JSON.parse(last.find(({ name }) => name === 'CMD')?.rest ?? '')).toEqual(['--help'])
  })

  test('copies what is there, and the build sees all that package.json packs', () => {
    const sources = of('COPY')
      .filter((rest) => !rest.startsWith('--from'))
      .flatMap((rest) => rest.split(' ').slice(0, -1))
    for (const source of sources) expect(existsSync(join(root, source)), source).toBe(true)
    const seen = [...read('.dockerignore').matchAll(/^!(.+)$/gm)].map(([, path]) => path)
    for (const path of seen) expect(existsSync(join(root, path)), path).toBe(true)
    const packed: string[] = JSON.parse(read('package.json')).files
    const made = packed.filter((path) => !path.startsWith('!') && path !== 'dist')
    expect(seen).toEqual(expect.arrayContaining([...made, 'src', 'scripts', 'package-lock.json', '.npmrc']))
  })
})
