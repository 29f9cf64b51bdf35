import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Recipe } from '../src/corpus/recipe.ts'
import { loadDataset } from '../src/dataset/load.ts'
import { derived } from '../src/store/artifact.ts'
import { openStore } from '../src/store/store.ts'
import { compareBm25, type Difference } from './engine-bm25/compare.ts'

/**
 * Writes the differences between OpenSearch's BM25 and the built-in one into docs/engines.md:
 *
 *     TOUCHSTONE_OPENSEARCH=http://127.0.0.1:9250 npx tsx scripts/engine-bm25.ts ../shared/data/claude-docs-100 ...
 */
const folders = process.argv.slice(2)
if (folders.length === 0) throw new Error('name the folders of datasets')

const ANALYSES = [
  { analyzer: 'standard', here: { stemmer: 'none', stopwords: 'none' } },
  { analyzer: 'english', here: { stemmer: 'language', stopwords: 'language' } },
] as const
const STAGES = [
  ['here', 'the search here'],
  ['tokens', "BM25 here over OpenSearch's tokens"],
  ['lengths', 'the same with lengths of one byte'],
] as const

const percent = (share: number) =>
  share < 1e-5 ? '< 0.001 %' : `${(100 * share).toFixed(share < 0.001 ? 3 : 1)} %`
const line = (set: string, analyzer: string, stage: string, { mean, largest, sameTen, tau }: Difference) =>
  `| ${[set, analyzer, stage, percent(mean), percent(largest), `${(100 * sameTen).toFixed(1)} %`, tau.toFixed(3)].join(' | ')} |`

const store = mkdtempSync(join(tmpdir(), 'touchstone-bm25-'))
const rows: string[] = []
try {
  const open = openStore(store)
  for (const folder of folders) {
    const { name, documents, queries } = await loadDataset(
      { name: 'beir', params: { path: resolve(folder) } },
      process.cwd(),
    )
    const recipe: Recipe = {
      documents: derived('documents', {}, () => documents, { name }),
      chunk: { name: 'passages', params: {} },
      embedder: { name: 'lsa', params: {} },
    }
    for (const { analyzer, here } of ANALYSES) {
      const texts = queries.map(({ text }) => text)
      const found = await compareBm25(open, recipe, texts, { analyzer, here })
      for (const [stage, title] of STAGES) rows.push(line(name, analyzer, title, found[stage]))
    }
  }
  await open.close()
} finally {
  rmSync(store, { recursive: true, force: true })
}
const table = [
  "| set | analyzer | compared with | mean difference | largest | same first 10 | Kendall's tau |",
  '|---|---|---|---:|---:|---:|---:|',
  ...rows,
].join('\n')
const file = resolve('docs', 'engines.md')
const block = /(<!-- bm25 -->\n)[\s\S]*?(<!-- end -->)/
const page = readFileSync(file, 'utf8')
if (!block.test(page)) throw new Error('docs/engines.md has no place for bm25')
writeFileSync(
  file,
  page.replace(block, (_, begin: string, end: string) => `${begin}\n${table}\n\n${end}`),
)
