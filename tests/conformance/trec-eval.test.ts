import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { formatC } from '../../src/metrics/c-numbers.ts'
import { DIALECTS, type DialectName } from '../../src/metrics/dialects.ts'
import { goldByQuery, scoreRankings } from '../../src/metrics/score-run.ts'
import { fromTrec } from '../../src/metrics/trec-names.ts'
import { readQrels, readRun } from '../../src/runs/formats.ts'
import { COMMAND, commandFolders, describeFolders } from './forms.ts'

describeFolders('trec_eval, to the printed digits', (root) => {
  const folders = commandFolders(root)
  test('has a folder with its commands', () => expect(folders.length).toBeGreaterThan(0))
  for (const { folder, commands } of folders)
    describe(folder, () => outputs(join(root, folder), join(root, commands)))
})

/** The outputs in a folder are of version 10, those in a folder `v9...` inside it of version 9. */
function outputs(folder: string, file: string): void {
  const commands = readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => {
      const [, options = '', qrels, run, out] = COMMAND.exec(line.replace('(gz here)', '')) ?? []
      return out ? [{ options, qrels, run, out }] : []
    })
  const folders: [string, DialectName][] = [
    ['.', 'trec_eval-10'],
    ...readdirSync(folder).flatMap((name): [string, DialectName][] =>
      /^v?9/.test(name) ? [[name, 'trec_eval-9']] : [],
    ),
  ]

  for (const [version, dialect] of folders)
    for (const { options, qrels, run, out } of commands.filter(({ out }) =>
      existsSync(join(folder, version, out)),
    ))
      test(`${join(version, out)} of ${qrels} ${run}`, async () => {
        const gold = goldByQuery((await readQrels(fileOf(folder, qrels))).value.qrels)
        const { queries } = (await readRun(fileOf(folder, run))).value
        const level = /-l ?(\d+)/.exec(options)?.[1]
        const depth = /-M ?(\d+)/.exec(options)?.[1]
        const rel = level ? Number(level) : 1
        const complete = / -c/.test(` ${options}`)
        const lines = readFileSync(join(folder, version, out), 'utf8')
          .trim()
          .split('\n')
        const printed = lines.map((line) => line.split('\t').map((field) => field.trim()))
        const names = [...new Set(printed.map(([name]) => name))].filter((name) => measureOf(name))
        const measures = names.map(
          (name) => measureOf(name, rel) as NonNullable<ReturnType<typeof measureOf>>,
        )
        const scores = scoreRankings({
          gold,
          run: queries,
          measures,
          dialect: DIALECTS[dialect],
          presentOnly: !complete,
          judgedOnly: /-J/.test(options),
          depth: depth ? Number(depth) : undefined,
        })
        let compared = 0
        for (const [name, query, value] of printed) {
          const place = names.indexOf(name)
          if (place < 0 || (name === 'num_rel' && query === 'all' && complete && rel > 1)) continue
          const actual =
            query === 'all' ? scores.means[place] : scores.values[place][scores.queries.indexOf(query)]
          const text = formatC(actual, measures[place].metric.mean === 'sum' ? 0 : 4)
          expect(`${name} ${query} ${text}`).toBe(`${name} ${query} ${value}`)
          compared++
        }
        expect(compared).toBeGreaterThan(10)
      })

  test('a command has its output, and every output its command', () => {
    const has = ({ out }: { out: string }) =>
      folders.some(([version]) => existsSync(join(folder, version, out)))
    expect(commands.length).toBeGreaterThan(0)
    expect(commands.filter((command) => !has(command))).toEqual([])
    const outs = readdirSync(folder).filter((name) => name.startsWith('out.'))
    expect(outs.filter((name) => !commands.some(({ out }) => out === name))).toEqual([])
  })
}

function measureOf(name: string, rel = 1) {
  try {
    const named = fromTrec(name, { rel })
    // A bare name of a metric with default cutoffs is a list, which an output never prints.
    return named?.length === 1 ? named[0].measure : undefined
  } catch {
    return undefined
  }
}

function fileOf(folder: string, name: string): string {
  const path = join(folder, name)
  return existsSync(path) ? path : `${path}.gz`
}
