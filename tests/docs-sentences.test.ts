import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  blockOf,
  byChance,
  chosen,
  disagreements,
  losses,
  mixBesideNaive,
  numberOf,
  resolution,
  rowsOf,
} from '../scripts/sentences.ts'
import { titlePpr } from '../src/retrieve/strategies/title-ppr/strategy.ts'

/** Sentences of the docs say what the tables beside them hold. */
const docs = resolve(import.meta.dirname, '..', 'docs')
const read = (file: string) => readFileSync(join(docs, file), 'utf8')
const results = read('evidence/results.md')
const differences = blockOf(results, 'differences')

test('sentences that are made of tables are those of today', () => {
  expect(blockOf(results, 'resolution')).toBe(resolution(differences))
  const both = (name: string) => [name, `${name} bge-small`].map((one) => blockOf(results, one))
  expect(blockOf(results, 'disagreements')).toBe(disagreements(...(both('measured') as [string, string])))
  expect(blockOf(read('../README.md'), 'losses')).toBe(losses(...(both('regrets') as [string, string])))
  expect(blockOf(read('choose.md'), 'changes')).toBe(chosen(blockOf(read('choose.md'), 'choice')))
  expect(blockOf(read('strategies/lightrag.md'), 'mix')).toContain(`${mixBesideNaive(differences)}.`)
  expect(read('evidence/seeds-results.md')).toContain(
    byChance(JSON.parse(read('evidence/systems.json')).parts),
  )
})

describe('a sentence follows its table', () => {
  const table = `| minus \`naive\` | a | b |
|---|---|---|
| \`x\` | −3.0 [−5.0, −1.0] | +1.0 [+0.0, +2.0] |
| \`lightrag mode=mix\` | +0.5 [−2.5, +3.5] | −1.0 [−7.0, +5.0] |
| \`z\` | 0.0 [−9.0, +9.0] | −2.0 [−4.0, 0.0] |`

  test('the middle half-width of each column', () => {
    expect(resolution(table)).toContain('3.0 on a, 6.0 on b')
  })

  test('verdicts that another embedder turns, and the best row of each set', () => {
    const measured = (naive: string, other: string) => `| | a | b |
|---|---|---|
| \`naive\` | ${naive} [1, 99] / 10 | 40.0 [1, 99] / 10 |
| \`hybrid\` | ${other} | 30.0 [1, 99] / 10 ▼ |`
    const found = disagreements(
      measured('50.0', '60.0 [1, 99] / 20 ▲'),
      measured('70.0', '65.0 [1, 99] / 20'),
    )
    expect(found).toContain(
      'The best row differs on 1 of 2 sets: a (`hybrid` with MiniLM, `naive` with bge-small).',
    )
    expect(found).toContain('Of 2 comparisons\nwith `naive`, 1 have another verdict')
    expect(found).toContain('|---|\n| a | `hybrid` | 60.0 ▲ (naive 50.0) | 65.0 (naive 70.0) |\n\n')
    expect(found.split('\n').at(-1)).toMatch(/^On 1 of 2 sets, `hybrid` gains more or loses less/)
  })

  test('differences with one embedder and with the other, and where they turn round', () => {
    const row = (name: string, ...cells: readonly string[]) => `| \`${name}\` | ${cells.join(' | ')} |`
    const page = [
      '| | a: MiniLM | a: bge-small |',
      '|---|---|---|',
      row('bm25', '50.0', '50.0'),
      row('naive', '60.0', '70.0'),
      row('hybrid', '65.0 ▲', '68.0'),
      row('bm25 reranked by the embedder', '55.0', '60.0'),
      row('title-ppr', '61.0', '71.0'),
      row('linearrag', '60.0', '70.0'),
    ].join('\n')
    expect(chosen(page).split('\n').slice(0, 2)).toEqual([
      '- `hybrid` over `naive`: +5.0 and −2.0 on a. The sign changes on a.',
      '- `bm25 reranked by the embedder` over `bm25`: +5.0 and +10.0 on a.',
    ])
    expect(chosen(page)).toContain('`naive` with bge-small over `naive` with MiniLM: +10.0 on a.')
  })

  test('the least and the greatest difference', () => {
    expect(mixBesideNaive(table)).toBe(
      '`mix` scored −1.0 to +0.5 points of recall@5 relative to `naive` on 2 sets',
    )
  })

  test('intervals that leave 0 out by chance are 5 % of those that there are', () => {
    const parts = Array.from({ length: 50 }, (_, index) => ({ low: index < 10 ? null : -1 }))
    expect(byChance(parts)).toMatch(/^40 of 50 pairs .* about 2 of them/s)
  })
})

describe('sentences written by hand agree with their tables', () => {
  /** A cell of the table of differences; columns as in the head. */
  const cell = (page: string, row: string, column: number) => rowsOf(page, row)[0][column]

  test('docs/evidence/results.md: what the walk adds to hybrid, and HippoRAG to naive', () => {
    const measured = blockOf(results, 'measured')
    const gains = [1, 2, 3, 4, 5].map(
      (set) => numberOf(cell(measured, 'title-ppr', set)) - numberOf(cell(measured, 'hybrid', set)),
    )
    const [musique, hotpotqa, wiki, docs, xquad] = gains
    expect(results).toContain('On two of them the walk adds much to the `hybrid` ranking')
    expect([hotpotqa > 10, wiki > 10, musique < 5, docs < 1, xquad < 1]).toEqual(new Array(5).fill(true))
    expect(results).toContain('On musique HippoRAG v2 gains 3.8 points over its own dense retrieval')
    const [gain, low, high] = (cell(differences, 'hipporag variant=v2', 1).match(/[−+]\d+\.\d/g) ?? []).map(
      numberOf,
    )
    expect([gain, low < 0, high > 0]).toEqual([3.8, true, true])
  })

  test('docs/evidence/results.md: norms at equal alpha', () => {
    const spread = (block: string) => {
      const rows = rowsOf(blockOf(results, block), 'hybrid alpha=')
      const score = (alpha: string, norm: string) =>
        (rows.find(([name]) => name === `hybrid alpha=${alpha} fusion=weighted norm=${norm}`) ?? [])
          .slice(1)
          .map(numberOf)
      const alphas = ['0.4', '0.5', '0.6', '0.7'].map((alpha) => {
        const four = ['corpus', 'minmax', 'zscore', 'dbsf'].map((norm) => score(alpha, norm))
        return score(alpha, 'tmm').map((tmm, set) => {
          const own = four.map((norm) => norm[set])
          return { set, four: Math.max(...own) - Math.min(...own), tmm: Math.max(...own) - tmm }
        })
      })
      const worst = alphas.flat().reduce((least, one) => (one.tmm > least.tmm ? one : least))
      expect(worst.set, 'musique').toBe(0)
      return [Math.max(...alphas.flat().map(({ four }) => four)), worst.tmm].map((value) => value.toFixed(1))
    }
    const [four, tmm] = spread('norms')
    const [fourOther, tmmOther] = spread('norms bge-small')
    const text = results.replace(/\s+/g, ' ')
    expect(text).toContain(`differ by at most ${four} points with MiniLM and ${fourOther} with bge-small.`)
    expect(text).toContain(
      `\`tmm\` is up to ${tmm} and ${tmmOther} points below the best of them, on musique.`,
    )
  })

  test('docs/choose.md: hybrid beside naive, and what a better embedder finds', () => {
    const choice = blockOf(read('choose.md'), 'choice')
    const row = (name: string) => rowsOf(choice, name)[0].slice(1).map(numberOf)
    const [naive, hybrid, ppr] = ['naive', 'hybrid', 'title-ppr'].map(row)
    // musique, hotpotqa and claude-docs, each with MiniLM and with bge-small.
    expect(hybrid.map((value, at) => value > naive[at])).toEqual([false, false, true, false, true, true])
    expect(ppr[3] - naive[3]).toBeLessThan(ppr[2] - naive[2])
    expect([1, 3, 5].map((at) => naive[at] > naive[at - 1])).toEqual([true, true, false])
  })

  test('docs/evidence/results.md: alphas 0.5 and 0.6', () => {
    const worstOf = (alpha: string) =>
      numberOf(
        rowsOf(results.split('Points below the best fusion of each set')[1], `${alpha}`)[0].at(-1) ?? '',
      )
    expect(results).toContain('So alpha 0.6 and 0.7 lose less on these questions')
    expect(Math.max(worstOf('0.6'), worstOf('0.7'))).toBeLessThan(worstOf('0.5'))
  })

  test('docs/strategies/title-ppr.md: the prior has the default weights', () => {
    const { alpha } = titlePpr.params.parse({})
    expect(read('strategies/title-ppr.md')).toContain(`prior    ${alpha} * cosine`)
  })
})
