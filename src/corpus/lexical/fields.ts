import { UserError } from '../../errors.ts'
import { type Artifact, derived } from '../../store/artifact.ts'
import { didYouMean } from '../../text/nearest.ts'
import { countsOfTexts, type TermCounts } from '../../text/term-counts.ts'
import type { Json } from '../../types.ts'
import { units } from '../chunks/units.ts'
import { chunkColumns } from '../corpus.ts'
import type { Recipe } from '../recipe.ts'
import type { Postings } from './sums.ts'
import { indexCounts } from './term-counts.ts'

/**
 * BM25F (Robertson and Zaragoza, FnTIR 2009, 3.6.1): fields are summed before a term saturates. n(t) in idf counts the
 * chunks with t in any field. All fields have the same b.
 *
 *     tf(t, d)    = sum over fields f of weight_f * tf_f(t, d) / (1 - b + b * length_f(d) / meanLength_f)
 *     score(q, d) = sum over tokens t of q of idf(t) * tf(t, d) * (k1 + 1) / (tf(t, d) + k1)
 */
export type Fields = Readonly<Record<string, number>>

/** Name of a field: a column of the chunks, or `metadata.` and a metadata key. */
export const FIELD = /^(?:title|section|text|metadata\..+)$/u

interface FieldCounts {
  readonly all: Postings
  of(rows: Uint32Array): Postings
}

export function fieldCounts(recipe: Recipe, fields: Fields, b: number): Artifact<FieldCounts> {
  const names = Object.keys(fields).sort()
  const inputs = Object.fromEntries(
    names.map((name) => [name, indexCounts(recipe, fieldTexts(recipe, name))]),
  )
  return derived(
    'field_counts',
    inputs,
    (counts) => {
      const weighed = (of: (counts: TermCounts) => TermCounts) =>
        weighFields(
          names.map((name) => ({ counts: of(counts[name] as TermCounts), weight: fields[name] })),
          b,
        )
      return {
        all: weighed((counts) => counts),
        of: (rows: Uint32Array) => weighed((counts) => countsOfTexts(counts, rows)),
      }
    },
    { fields, b },
  )
}

function fieldTexts(recipe: Recipe, field: string): Artifact<readonly string[]> {
  const parts = units(recipe)
  return derived(
    'field_texts',
    { chunks: chunkColumns(recipe, 'title', 'section', 'text', 'metadata'), ...(parts && { units: parts }) },
    ({ chunks, units }) => {
      if (field === 'text' && units)
        return Array.from(units.parents, (row, unit) =>
          chunks[row].text.slice(units.starts[unit], units.ends[unit]),
        )
      const texts = chunks.map((chunk) => {
        if (field === 'title' || field === 'text') return chunk[field]
        if (field === 'section') return chunk.section.join('\n')
        return textOf(chunk.metadata[field.slice('metadata.'.length)])
      })
      return units ? Array.from(units.parents, (row) => texts[row]) : texts
    },
    { field },
  )
}

function textOf(value: Json | undefined): string {
  if (Array.isArray(value)) return value.map(textOf).join('\n')
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

/** Check of fields. Opening it throws a UserError if no chunk has the metadata that a field names. */
export function askedFields(recipe: Recipe, fields: Fields | undefined): Artifact<unknown> | undefined {
  const metadataKeys = Object.keys(fields ?? {}).flatMap((name) => /^metadata\.(.+)$/u.exec(name)?.[1] ?? [])
  if (metadataKeys.length === 0) return undefined
  return derived(
    'asked_fields',
    { chunks: chunkColumns(recipe, 'metadata') },
    ({ chunks }) => {
      const keys = [...new Set(chunks.flatMap(({ metadata }) => Object.keys(metadata)))].sort()
      const missing = metadataKeys.filter((key) => !keys.includes(key))
      if (missing.length === 0) return null
      const there = keys.length === 0 ? 'chunks have no metadata' : `there are ${keys.join(', ')}`
      throw new UserError(
        missing.map((key) => ({
          message: `no chunk has the metadata \`${key}\`${didYouMean(key, keys)}; ${there}`,
        })),
      )
    },
    { asked: metadataKeys },
  )
}

/** Combines the counts of fields to tf(t, d). Terms are in order of first occurrence over the fields. */
export function weighFields(
  fields: readonly { readonly counts: TermCounts; readonly weight: number }[],
  b: number,
): Postings {
  const [{ counts: first }] = fields
  const chunks = first.lengths.length
  const numbers = new Map<string, number>()
  for (const { counts } of fields)
    for (const term of counts.terms) if (!numbers.has(term)) numbers.set(term, numbers.size)
  const indexes = fields.map(({ counts }) => new Map(counts.terms.map((term, number) => [term, number])))
  const shares = fields.map(({ counts: { lengths }, weight }) => {
    // A field without words has a mean of 0, and no word to weigh.
    const mean = lengths.reduce((sum, length) => sum + length, 0) / chunks
    return Float64Array.from(lengths, (length) => weight / (1 - b + (b * length) / mean))
  })
  const sums = new Float64Array(chunks)
  const offsets = new Uint32Array(numbers.size + 1)
  const length = fields.reduce((sum, { counts }) => sum + counts.rows.length, 0)
  const rows = new Uint32Array(length)
  const counts = new Float64Array(length)
  let count = 0
  for (const [term, number] of numbers) {
    const met: number[] = []
    fields.forEach(({ counts: { offsets, rows, counts } }, field) => {
      const index = indexes[field].get(term)
      if (index === undefined) return
      for (let at = offsets[index]; at < offsets[index + 1]; at++) {
        if (sums[rows[at]] === 0) met.push(rows[at])
        sums[rows[at]] += counts[at] * shares[field][rows[at]]
      }
    })
    for (const row of met.sort((a, b) => a - b)) {
      rows[count] = row
      counts[count++] = sums[row]
      sums[row] = 0
    }
    offsets[number + 1] = count
  }
  const lengths = Uint32Array.from({ length: chunks }, (_, row) =>
    fields.reduce((sum, { counts }) => sum + counts.lengths[row], 0),
  )
  return {
    terms: [...numbers.keys()],
    offsets,
    rows: rows.slice(0, count),
    counts: counts.slice(0, count),
    lengths,
  }
}
