import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { xmlText } from '../../src/corpus/graph/exports/graphml.ts'
import { readForeignTable } from '../../src/tables/foreign.ts'
import { callsInTowns } from './calls.ts'

const CONFIG = `dataset: towns
prepare: {chunk: passages, embedder: lsa, graph: [rules, titles], communities: leiden, reports: extractive}
trials: [bm25]
measures: [recall@5]
`

describe('touchstone export CONFIG --to', () => {
  test('graphrag: the columns of GraphRAG, and the same graph when read back', async () => {
    const { folder, call } = callsInTowns(CONFIG)
    const done = await call('export', 'a.yaml', '--to', 'graphrag', '-o', 'index', '--json')
    expect(done.err).toBe('')
    const { entities, relationships, notes } = JSON.parse(done.out)
    expect(notes).toEqual([])
    expect(readdirSync(join(folder, 'index')).sort()).toEqual(
      ['communities', 'community_reports', 'documents', 'entities', 'relationships', 'text_units'].map(
        (name) => `${name}.parquet`,
      ),
    )
    const back = CONFIG.replace(
      'graph: [rules, titles], communities: leiden, reports: extractive',
      'graph: [{graphrag: {path: index}}], communities: {graphrag: {path: index}}, reports: {graphrag: {path: index}}',
    )
    writeFileSync(join(folder, 'back.yaml'), back)
    const again = await call('export', 'back.yaml', '--to', 'graphrag', '-o', 'again', '--json')
    expect(JSON.parse(again.out)).toMatchObject({ entities, relationships })
    const columns = ['title', 'type', 'description', 'degree', 'frequency']
    const read = async (path: string) => {
      const table = await readForeignTable(join(folder, path, 'entities.parquet'), columns)
      return table
        .strings('title')
        .map((title, row) => [
          title,
          ...['type', 'description'].map((name) => table.strings(name)[row]),
          table.numbers('degree')[row],
        ])
        .sort()
    }
    expect(await read('again')).toEqual(await read('index'))
    const reports = async (path: string) =>
      (await readForeignTable(join(folder, path, 'community_reports.parquet'), ['full_content']))
        .strings('full_content')
        .sort()
    expect(await reports('again')).toEqual(await reports('index'))
  })

  test('graphml: the same graph when read back', async () => {
    const { folder, call } = callsInTowns(CONFIG)
    const done = await call('export', 'a.yaml', '--to', 'graphml', '-o', 'g.graphml', '--json')
    const { entities, relationships } = JSON.parse(done.out)
    const back = CONFIG.replace('[rules, titles]', '[{graphml: {path: g.graphml}}]')
    writeFileSync(join(folder, 'back.yaml'), back)
    const again = await call('export', 'back.yaml', '--to', 'graphml', '-o', 'again.graphml', '--json')
    expect(JSON.parse(again.out)).toMatchObject({ entities, relationships })
    const edges = (file: string) =>
      readFileSync(join(folder, file), 'utf8')
        .split('\n')
        .filter((line) => line.startsWith('<edge'))
        .map((line) => /(?:source=.*?"e0">)([^<]*)/.exec(line)?.[0])
        .sort()
    expect(edges('again.graphml')).toEqual(edges('g.graphml'))
  })
})

test('names cannot leave their place in XML', () => {
  expect(xmlText('a "b" <c> & \u0000\n\uD800')).toBe('a &quot;b&quot; &lt;c&gt; &amp; \uFFFD&#10;\uFFFD')
})
