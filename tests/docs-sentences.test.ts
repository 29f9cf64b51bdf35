import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { blockOf } from '../scripts/pages.ts'
import { alphaCosts, disagreements, losses, numberOf, resolution, rowsOf } from '../scripts/sentences.ts'
import { strategies } from '../src/retrieve/strategies/index.ts'

/** Sentences of the docs say what the tables beside them hold. */
const docs = resolve(import.meta.dirname, '..', 'docs')
const read = (file: string) => readFileSync(join(docs, file), 'utf8')
const results = read('evidence/results.md')
const differences = blockOf(results, 'differences')

test('sentences that are made of tables are those of today', () => {
  expect(blockOf(results, 'resolution')).toBe(resolution(differences))
  const both = (name: string) => [name, `${name} bge-small`].map((block) => blockOf(results, block))
  expect(blockOf(results, 'disagreements')).toBe(disagreements(...(both('measured') as [string, string])))
  const [first, second] = both('measured')
  const choice = blockOf(results, 'choice')
  for (const [page, link] of [
    ['../README.md', 'docs/evidence/results.md'],
    ['strategies.md', 'evidence/results.md'],
  ])
    expect(blockOf(read(page), 'losses')).toBe(losses(first, second, choice, link))
  const embedders = ['MiniLM', 'bge-small'].map((name, at) => ({ name, norms: both('norms')[at] }))
  expect(blockOf(results, 'alphas')).toBe(alphaCosts(embedders))
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
    const text = results.replace(/\s+/g, ' ')
    expect(text).toContain('On two of them the walk adds much to the `hybrid` ranking')
    expect([hotpotqa > 10, wiki > 10, musique < 5, docs < 1, xquad < 1]).toEqual(new Array(5).fill(true))
    expect(text).toContain('On musique HippoRAG v2 gains 3.8 points over its own dense retrieval')
    const [gain, low, high] = (cell(differences, 'hipporag', 1).match(/[−+]\d+\.\d/g) ?? []).map(numberOf)
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
          const values = four.map((norm) => norm[set])
          return { set, four: Math.max(...values) - Math.min(...values), tmm: Math.max(...values) - tmm }
        })
      })
      const worst = alphas.flat().reduce((least, alpha) => (alpha.tmm > least.tmm ? alpha : least))
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

  test('docs/evidence/results.md: the first choice', () => {
    const choice = blockOf(results, 'choice')
    const row = (name: string) => rowsOf(choice, name)[0].slice(1).map(numberOf)
    const [naive, hybrid, ppr] = ['naive', 'hybrid', 'title-ppr'].map(row)
    // musique, hotpotqa and claude-docs, each with MiniLM and with bge-small.
    expect(hybrid.map((value, at) => value > naive[at])).toEqual([false, false, true, false, true, true])
    expect(ppr[3] - naive[3]).toBeLessThan(ppr[2] - naive[2])
    expect([1, 3, 5].map((at) => naive[at] > naive[at - 1])).toEqual([true, true, false])
  })

  const { parts: simulated } = JSON.parse(read('evidence/simulations.json')) as {
    parts: { name: string; size: number; rows: Record<string, number | string>[] }[]
  }

  test('docs/ci.md: changes that the gate fails, as simulated', () => {
    const rows = simulated.filter(({ name }) => name === 'gate').flatMap((part) => part.rows)
    const [rare, others] = [true, false].map((isRare) =>
      rows
        .filter(({ differences }) => `${differences}`.includes('whole gains on') === isRare)
        .map((row) => Number(row['found %'])),
    )
    const range = (rates: readonly number[]) =>
      [Math.min, Math.max].map((end) => Math.round(end(...rates))).join(' to ')
    const text = read('ci.md').replace(/\s+/g, ' ')
    const atBound = Math.max(...rows.map((row) => Number(row['at the bound %'])))
    expect(text).toContain(`exactly 1 point, at most ${atBound} % of the changes fail.`)
    expect(text).toContain(`If it is the MDE, ${range(others)} % fail.`)
    expect(text).toContain(`too small: ${range(rare)} % fail.`)
  })

  test('docs/strategies.md: false verdicts over a fitted router, as simulated', () => {
    const rows = simulated
      .filter(({ name, size }) => name === 'router' && size === 100)
      .flatMap(({ rows }) => rows)
    const rates = (column: string) => rows.map((row) => Number(row[`${column} %`]))
    const range = (column: string) =>
      [Math.min, Math.max].map((end) => end(...rates(column)).toFixed(1)).join(' to ')
    const text = read('strategies.md').replace(/\s+/g, ' ')
    expect(text).toContain(`a test of the row was false in ${range('folds')} %`)
    expect(text).toContain(`With \`split\`, it was false in ${range('split')} %`)
  })

  test.each(strategies.all.map(({ name, params }) => [name, params] as const))(
    'docs/definitions.md: %s has a section with the defaults of the code',
    (name, params) => {
      const section = read('definitions.md')
        .split(/^## /m)
        .find((text) => text.startsWith(`${name}\n`))
      expect(section).toBeDefined()
      const parsed = params.safeParse({})
      const defaults = (parsed.success ? parsed.data : {}) as Record<string, unknown>
      const stated = [...(section ?? '').matchAll(/`(\w+): ([\d.]+)`/g)].filter(
        ([, param]) => defaults[param] !== undefined,
      )
      expect(stated.map(([, param, value]) => [param, value])).toEqual(
        stated.map(([, param]) => [param, String(defaults[param])]),
      )
    },
  )
})
