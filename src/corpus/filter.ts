import { extname } from 'node:path'
import { type Diagnostic, UserError } from '../errors.ts'
import { addTo } from '../maps.ts'
import { type Mask, maskOf } from '../ranking/mask.ts'
import { type Artifact, derived } from '../store/artifact.ts'
import { didYouMean } from '../text/nearest.ts'
import { dateSpan, numberIn, readNumber } from '../text/numbers.ts'
import type { Chunk, Json } from '../types.ts'
import { chunkColumns } from './corpus.ts'
import type { Recipe } from './recipe.ts'

/** Conditions on a chunk's metadata, which must all hold (docs/corpus.md#filters). */
export type FilterFields = { readonly [field: string]: FilterCondition }
export type FilterCondition = Scalar | readonly Scalar[] | FromQuery | FilterRange
type Scalar = string | number | boolean
type FromQuery = { readonly query: string }
type FilterRange = { readonly from?: End; readonly to?: End }
type End = string | number | FromQuery

type Metadata = Readonly<Record<string, Json>>
export type FilteredChunk = Pick<Chunk, 'documentId' | 'title' | 'section' | 'metadata'>

/**
 * Mask for a query with these metadata. Equal values give the same mask object, so that indexes built for it are
 * shared.
 */
type Filter = (metadata: Metadata) => Mask

/** Filter over a corpus. Opening it throws a UserError if no chunk has a field or value that a condition names. */
export function filterOf(recipe: Recipe, where: FilterFields): Artifact<Filter> {
  const reads = { chunks: chunkColumns(recipe, 'documentId', 'title', 'section', 'metadata') }
  return derived(
    'filter',
    reads,
    ({ chunks }) => {
      const diagnostics = fieldDiagnostics(chunks, where)
      if (diagnostics.length > 0) throw new UserError(diagnostics)
      return createFilter(chunks, where)
    },
    where,
  )
}

const REMEMBERED = 64

export function createFilter(chunks: readonly FilteredChunk[], where: FilterFields): Filter {
  const tests = Object.entries(where).map(([field, condition]) =>
    testOf(
      chunks.map((chunk) => valuesOf(chunk, field)),
      condition,
    ),
  )
  const queryFields = fieldsOfQuery(where)
  const masks = new Map<string, Mask>()
  return (metadata) => {
    const key = JSON.stringify(queryFields.map((field) => scalarsOf(metadata[field])))
    const stored = masks.get(key)
    if (stored) return stored
    const passes = new Uint8Array(chunks.length).fill(1)
    for (const test of tests) {
      const holds = test(metadata)
      for (let row = 0; row < passes.length; row++) passes[row] &= holds[row]
    }
    const mask = maskOf(passes)
    if (masks.size >= REMEMBERED) masks.delete(masks.keys().next().value as string)
    masks.set(key, mask)
    return mask
  }
}

export function fieldsOfQuery(where: FilterFields): string[] {
  const fields = Object.values(where).flatMap((condition) => {
    if (typeof condition !== 'object' || Array.isArray(condition)) return []
    if (isFromQuery(condition)) return [condition.query]
    const { from, to } = condition as FilterRange
    return [from, to].flatMap((end) => (isFromQuery(end) ? [end.query] : []))
  })
  return [...new Set(fields)]
}

type Test = (metadata: Metadata) => Uint8Array

function testOf(values: readonly (readonly Scalar[])[], condition: FilterCondition): Test {
  if (typeof condition !== 'object' || Array.isArray(condition)) {
    const wanted = new Set([condition as Scalar | readonly Scalar[]].flat().map(String))
    const holds = Uint8Array.from(values, (texts) =>
      texts.some((value) => wanted.has(String(value))) ? 1 : 0,
    )
    return () => holds
  }
  if (isFromQuery(condition)) {
    const rows = rowsByValue(values)
    return (metadata) => {
      const holds = new Uint8Array(values.length)
      for (const value of scalarsOf(metadata[condition.query]))
        for (const row of rows.get(String(value)) ?? []) holds[row] = 1
      return holds
    }
  }
  return rangeTest(values, condition as FilterRange)
}

function rangeTest(values: readonly (readonly Scalar[])[], { from, to }: FilterRange): Test {
  const points = new Map<Kind, readonly (readonly number[])[]>()
  const pointsOf = (kind: Kind) => {
    const parsed =
      points.get(kind) ??
      values.map((scalars) =>
        scalars.map(boundOf).flatMap((bound) => (bound?.kind === kind ? [bound.start] : [])),
      )
    points.set(kind, parsed)
    return parsed
  }
  return (metadata) => {
    const bounds = [from, to].map((end) => (end === undefined ? undefined : boundOf(resolved(end, metadata))))
    const [low, high] = bounds
    const kind = low?.kind ?? high?.kind
    const isMet = [from, to].every((end, i) => end === undefined || bounds[i]?.kind === kind)
    if (!kind || !isMet) return new Uint8Array(values.length)
    const [min, max] = [low?.start ?? Number.NEGATIVE_INFINITY, high?.end ?? Number.POSITIVE_INFINITY]
    return Uint8Array.from(pointsOf(kind), (row) =>
      row.some((point) => min <= point && point <= max) ? 1 : 0,
    )
  }
}

type Kind = 'number' | 'date'

interface RangeBound {
  readonly kind: Kind
  readonly start: number
  readonly end: number
}

/** Interval of a number, a numeric text or a date; undefined for anything else. */
export function boundOf(value: Scalar | undefined): RangeBound | undefined {
  const number = numberIn(value)
  if (number !== undefined) return { kind: 'number', start: number, end: number }
  const span = typeof value === 'string' ? dateSpan(value) : undefined
  return span && { kind: 'date', ...span }
}

function resolved(end: End, metadata: Metadata): Scalar | undefined {
  return isFromQuery(end) ? scalarsOf(metadata[end.query])[0] : end
}

export function isFromQuery(value: unknown): value is FromQuery {
  return typeof value === 'object' && value !== null && 'query' in value
}

function rowsByValue(values: readonly (readonly Scalar[])[]): Map<string, number[]> {
  const rows = new Map<string, number[]>()
  values.forEach((scalars, row) => {
    for (const value of new Set(scalars.map(String))) addTo(rows, value, row)
  })
  return rows
}

/** Fields of every corpus, unless its metadata have a key of that name. */
const BUILT_IN: Readonly<Record<string, (chunk: FilteredChunk) => Json>> = {
  source: ({ documentId }) => documentId,
  title: ({ title }) => title || null,
  section: ({ section }) => section,
  file_type: ({ metadata: { path } }) =>
    typeof path === 'string' ? extname(path).toLowerCase() || null : null,
}

function valuesOf(chunk: FilteredChunk, field: string): readonly Scalar[] {
  if (Object.hasOwn(chunk.metadata, field)) return scalarsOf(chunk.metadata[field])
  return Object.hasOwn(BUILT_IN, field) ? scalarsOf(BUILT_IN[field](chunk)) : []
}

/** Values of a metadata field; none if it is absent, null or an object. */
export function scalarsOf(value: Json | undefined): readonly Scalar[] {
  if (Array.isArray(value)) return value.flatMap(scalarsOf)
  return value === undefined || typeof value === 'object' ? [] : [value]
}

const LISTED = 20

function fieldDiagnostics(chunks: readonly FilteredChunk[], where: FilterFields): Diagnostic[] {
  return Object.entries(where).flatMap(([field, condition]) => {
    const values = chunks.flatMap((chunk) => valuesOf(chunk, field))
    const problems =
      values.length === 0
        ? [`: no chunk has the field \`${field}\`${alternatives(chunks, field)}`]
        : problemsOf(values, field, condition)
    return problems.map((problem) => ({ message: `\`filter.where.${field}\`${problem}` }))
  })
}

function problemsOf(values: readonly Scalar[], field: string, condition: FilterCondition): string[] {
  if (typeof condition !== 'object' || Array.isArray(condition)) {
    const numbers = [condition as Scalar | readonly Scalar[]]
      .flat()
      .filter((value) => typeof value === 'number')
    return numbers.flatMap((number) => {
      // YAML reads 1.10 as 1.1.
      const other = values.find(
        (value) => typeof value === 'string' && value !== String(number) && readNumber(value) === number,
      )
      if (other === undefined) return []
      return [
        ` is the number ${number}, and a chunk has the text \`${other}\` in \`${field}\`, which would be left out; quote the value as the corpus writes it`,
      ]
    })
  }
  if (isFromQuery(condition)) return []
  const { from, to } = condition as FilterRange
  const bound = [from, to].flatMap((end) => (end === undefined || isFromQuery(end) ? [] : boundOf(end)))[0]
  if (!bound) return []
  const { kind } = bound
  if (!values.some((value) => boundOf(value)?.kind === kind))
    return [` is a range of ${kind}s, and no chunk has a ${kind} in \`${field}\`; one has \`${values[0]}\``]
  const other = values.find((value) => boundOf(value)?.kind !== kind && /\d/.test(String(value)))
  if (other === undefined) return []
  return [
    ` is a range of ${kind}s, and a chunk has \`${other}\` in \`${field}\`, which is none and would be left out; write ${kind === 'date' ? 'dates as 2024-05-01' : 'numbers in decimal digits'}`,
  ]
}

function alternatives(chunks: readonly FilteredChunk[], field: string): string {
  const builtIn = Object.keys(BUILT_IN).filter((name) =>
    chunks.some((chunk) => valuesOf(chunk, name).length > 0),
  )
  const all = new Set([...builtIn, ...new Set(chunks.flatMap(({ metadata }) => Object.keys(metadata)))])
  const names = [...all].sort()
  const more = names.length > LISTED ? ` and ${names.length - LISTED} more` : ''
  return `${didYouMean(field, names)}; there are ${names.slice(0, LISTED).join(', ')}${more}`
}
