import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { strToU8, zipSync } from 'fflate'
import { expect, test } from 'vitest'
import { temporaryFolder } from './temporary.ts'

export interface Case {
  readonly title: string
  /** Lines below the title, such as the commands to run. */
  readonly lines: readonly string[]
  /** Text by path. A JSON string or base64 stands for texts that lines of a file cannot hold. */
  readonly files: Readonly<Record<string, string | Uint8Array>>
}

/**
 * Cases of a file: each begins with `== TITLE` and its lines, followed by its files, each below `-- PATH --`. Files before
 * the first title belong to every case; `without: PATH PATH` leaves some of them out.
 */
export function readCases(path: string): Case[] {
  const [shared, ...parts] = `\n${readFileSync(path, 'utf8')}`.split(/^== /m)
  const common = filesOf(shared)
  return parts.map((part) => {
    const [title, ...lines] = part.split(/^-- /m)[0].trimEnd().split('\n')
    const without = lines.find((line) => line.startsWith('without: '))?.split(' ') ?? []
    const included = Object.fromEntries(Object.entries(common).filter(([name]) => !without.includes(name)))
    return {
      title,
      lines: lines.filter((line) => !line.startsWith('without: ')),
      files: { ...included, ...filesOf(part) },
    }
  })
}

function filesOf(part: string): Record<string, string | Uint8Array> {
  return Object.fromEntries(
    part
      .split(/^-- /m)
      .slice(1)
      .map((file) => {
        const [, name, inline, text] = /^(.*?) --(?: (.+))?\n([\s\S]*)$/.exec(file) ?? []
        if (inline === undefined) return [name, text]
        return [name, inline.startsWith('"') ? JSON.parse(inline) : Buffer.from(inline, 'base64')]
      }),
  )
}

/** A temporary folder with the files of a case. `a.csv.gz` is compressed; `a.zip/b.csv` is put into a zip file. */
export function folderOf(files: Case['files']): string {
  const plain: Record<string, string | Uint8Array> = {}
  const zips: Record<string, Record<string, Uint8Array>> = {}
  for (const [name, content] of Object.entries(files)) {
    const [, zip, inner] = /^(.*?\.zip)\/(.*)$/.exec(name) ?? []
    const isText = typeof content === 'string'
    if (zip !== undefined)
      zips[zip] = { ...zips[zip], [inner]: typeof content === 'string' ? strToU8(content) : content }
    else plain[name] = isText && name.endsWith('.gz') ? gzipSync(content) : content
  }
  for (const [name, inner] of Object.entries(zips)) plain[name] = zipSync(inner)
  return temporaryFolder(plain)
}

/**
 * A test for each `NAME.cases.txt` of a folder: outcomes of its cases are those of `NAME.expected.txt`. Vitest writes that file with
 * `-u`.
 */
export function testCases(folder: string, outcomeOf: (item: Case) => Promise<readonly string[]>): void {
  const names = readdirSync(folder).filter((name) => name.endsWith('.cases.txt'))
  test.each(names.map((name) => basename(name, '.cases.txt')))('%s', async (name) => {
    const texts: string[] = []
    for (const item of readCases(join(folder, `${name}.cases.txt`)))
      texts.push([`== ${item.title}`, ...(await outcomeOf(item)), ''].join('\n'))
    await expect(texts.join('\n')).toMatchFileSnapshot(join(folder, `${name}.expected.txt`))
  })
}
