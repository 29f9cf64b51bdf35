import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { queryTransforms } from '../../src/retrieve/transforms/index.ts'
import { readTable } from '../../src/tables/parquet.ts'
import { callsInTowns } from '../cli/calls.ts'
import { fakeModel, modelAt } from '../cli/fake-model.ts'

/** Params with which each query transform rewrites QUESTION. A new transform needs a line here. */
const REWRITES: Record<string, string> = {
  'normalize-keywords': '{}',
  aliases: '{names: {honey: glass}}',
  'expand-synonyms': '{terms: {clocks: [honey]}}',
  rewrite: '{model: tiny}',
  hyde: '{model: tiny}',
  query2doc: '{model: tiny}',
}

const QUESTION = 'Which fair has honey from townc2?'

const STRATEGIES = ['hybrid', 'title-ppr']

/** The chunks of each (trial, query), best first, as one string. */
async function rankingsOf(folder: string): Promise<ReadonlyMap<string, string>> {
  const table = await readTable(join(folder, 'rankings.parquet'))
  const [trials, queries] = [table.numbers('trial'), table.numbers('query')]
  const chunks = table.strings('chunk')
  const rankings = new Map<string, string>()
  for (const [row, chunk] of chunks.entries()) {
    const key = `${trials[row]} ${queries[row]}`
    rankings.set(key, `${rankings.get(key) ?? ''} ${chunk}`)
  }
  return rankings
}

/** The (trial, query) pairs for which a rewritten query was noted. */
async function notedIn(folder: string): Promise<ReadonlySet<string>> {
  const table = await readTable(join(folder, 'diagnostics.parquet'))
  const [trials, queries] = [table.numbers('trial'), table.numbers('query')]
  const noted = new Set<string>()
  for (const [row, name] of table.strings('name').entries())
    if (/^(query|words) after /.test(name)) noted.add(`${trials[row]} ${queries[row]}`)
  return noted
}

test.each(STRATEGIES)(
  '%s: a query that any transform rewrote is shown wherever it is read',
  async (strategy) => {
    const server = await fakeModel(() => 'Salt and ships.')
    const names = [...queryTransforms.byName.keys()]
    expect(Object.keys(REWRITES).sort()).toEqual([...names].sort())
    const rewritten = names.map(
      (name) => `{name: ${name}, ${strategy}: {}, before: [{${name}: ${REWRITES[name]}}]}`,
    )
    const { folder, call, run } = callsInTowns(`dataset: towns
prepare: {embedder: lsa, graph: [titles]}
models: {tiny: ${modelAt(server.baseUrl)}}
trials: [{name: plain, ${strategy}: {}}, ${rewritten.join(', ')}]
measures: [recall@5]
compare: {draws: 200}
`)
    writeHeadings(join(folder, 'towns', 'corpus.jsonl'))
    expect(await run('out')).toMatchObject({ code: 0 })

    const rankings = await rankingsOf(join(folder, 'out'))
    const noted = await notedIn(join(folder, 'out'))
    let changed = 0
    for (const [key, ranking] of rankings) {
      const [trial, query] = key.split(' ')
      if (ranking === rankings.get(`0 ${query}`)) continue
      changed++
      expect(noted, `${names[Number(trial) - 1]}, query ${query}`).toContain(key)
    }
    expect(changed).toBeGreaterThan(12)

    for (const name of names) {
      const answer = await call('ask', 'a.yaml', QUESTION, '-t', name, '--json')
      const { notes } = JSON.parse(answer.out) as { notes: Record<string, string> }
      const added = Object.entries(notes).filter(([note]) => note.endsWith(` after ${name}`))
      expect(added, name).not.toEqual([])
      for (const [, text] of added) expect(text).not.toBe(QUESTION)
      const { out } = await call('ask', 'a.yaml', QUESTION, '-t', name)
      for (const [note] of added) expect(out).toContain(`  ${note}: `)
    }
    const { out } = await call('ask', 'a.yaml', QUESTION, '-t', 'plain', '--json')
    expect(JSON.parse(out).notes).toEqual({})
  },
)

/** Puts each town's name in a heading of its text, so that there are keywords. */
function writeHeadings(path: string): void {
  const lines = readFileSync(path, 'utf8').trim().split('\n')
  const documents = lines.map((line) => JSON.parse(line) as { title: string; text: string })
  const rewritten = documents.map((document) =>
    JSON.stringify({ ...document, text: `## ${document.title}\n\n${document.text}` }),
  )
  writeFileSync(path, `${rewritten.join('\n')}\n`)
}
