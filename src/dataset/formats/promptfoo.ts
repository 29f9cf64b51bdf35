import { dirname } from 'node:path'
import { UserError } from '../../errors.ts'
import { isMap } from '../../text/json.ts'
import type { Json } from '../../types.ts'
import { textsOf } from '../contexts.ts'
import { defineDatasetFormat, oneFile } from '../format.ts'
import { questionParams, takeQuestionRows } from '../question-rows.ts'
import { eachQuestion, wholeText } from '../questions-file.ts'
import { placeOf, type Row, readRows } from '../rows.ts'
import type { DataLocation, DatasetSink } from '../sink.ts'

const EQUALS = /^(?:i?equals|i?contains|similar|llm-rubric|factuality|answer-relevance|context-recall)$/

/** Asserts of a table that hold no answer. */
const CHECKS =
  /^(?:not-.*|javascript|fn|eval|python|file|regex|is-.*|contains-.*|icontains-.*|starts-with|levenshtein|rouge-n|bleu|cost|latency|perplexity.*|webhook)$/

/** Asserts of a table that are written without a value, as `is-json`. */
const BARE_CHECK = /^(?:not-)?(?:is|contains)-[a-z-]+$/

/**
 * Tests of promptfoo: a config with `tests`, or a list of tests, each with `vars` and `assert`; or a table of vars with
 * `__expected`.
 */
export const promptfoo = defineDatasetFormat({
  name: 'promptfoo',
  summary: 'tests of promptfoo (YAML, JSON, CSV) whose vars contain contexts',
  drops: 'prompts, providers, asserts without an answer',
  params: questionParams,
  sniff: oneFile(({ kind, keys, head }) => {
    if (kind === 'table') return keys.some((key) => EXPECTED.test(key))
    const holdsMap = kind === 'yaml' || kind === 'object' || kind === 'records'
    return (
      holdsMap &&
      /(?:^|\s|["[{])vars["']?\s*:/.test(head) &&
      (keys.includes('tests') || keys.includes('vars') || kind === 'yaml')
    )
  }),
  async load({ path, columns }, sink) {
    const { file } = placeOf(path)
    takeQuestionRows(await testRows(path, file, sink), { tool: 'promptfoo', file, columns }, sink)
  },
})

const EXPECTED = /^__expected\d*$/

/** Test of a row of a table: columns that begin with `__` are not vars. */
function testOf(fields: Row['fields']): Record<string, unknown> {
  const entries = Object.entries(fields).filter(([name]) => name !== '')
  const asserts = entries.flatMap(([name, value]) => {
    const [, type = 'equals', text] = /^([a-z-]+)(?:\([^)]*\))?:\s*(.*)$/s.exec(String(value)) ?? []
    if (!EXPECTED.test(name) || String(value).trim() === '') return []
    if (CHECKS.test(type) || BARE_CHECK.test(String(value).trim())) return []
    return [EQUALS.test(type) && text !== undefined ? { type, value: text } : { type: 'equals', value }]
  })
  return { vars: Object.fromEntries(entries.filter(([name]) => !name.startsWith('__'))), assert: asserts }
}

async function testRows(path: string, file: string, sink: DatasetSink): Promise<Row[]> {
  if (/\.(csv|tsv)(\.gz)?$/.test(file)) {
    const rows = await readRows(dirname(path), file, sink)
    return rows.flatMap(({ fields, location }) => testRow(testOf(fields), {}, location, sink))
  }
  if (/\.jsonl(\.gz)?$/.test(file)) {
    const rows: Row[] = []
    await eachQuestion(path, sink, (test, location) => rows.push(...testRow(test, {}, location, sink)))
    return rows
  }
  const { parseDocument } = await import('yaml')
  const text = wholeText(path, file, sink)
  if (text === undefined) return []
  const document = parseDocument(text, { maxAliasCount: 100 } as object)
  const { codesAsText, yamlMistake } = await import('../../text/yaml.ts')
  for (const error of document.errors) {
    const [place] = error.linePos ?? []
    sink.diagnostic({
      file,
      ...(place && { line: place.line, column: place.col }),
      message: yamlMistake(error),
    })
  }
  if (document.errors.length > 0) return []
  codesAsText(document)
  let whole: unknown
  try {
    whole = document.toJS({ maxAliasCount: 100 })
  } catch (error) {
    throw new UserError({ file, message: `cannot be read: ${(error as Error).message}` })
  }
  const tests: unknown = isMap(whole) ? whole.tests : whole
  if (typeof tests === 'string' || !Array.isArray(tests)) {
    const where =
      typeof tests === 'string' ? ` but names ${JSON.stringify(tests)}; give the path of that file` : ''
    sink.diagnostic({ file, message: `holds no list of tests${where}` })
    return []
  }
  const shared = isMap(whole) && isMap(whole.defaultTest) ? whole.defaultTest.vars : undefined
  const defaults = isMap(shared) ? shared : {}
  return tests.flatMap((test: unknown, index) =>
    testRow(test, defaults, { file: `${file}, test ${index + 1}` }, sink),
  )
}

/** Row of a test, its own vars before those of `defaultTest`; none after an error. */
function testRow(
  test: unknown,
  defaults: Readonly<Record<string, unknown>>,
  location: DataLocation,
  sink: DatasetSink,
): Row[] {
  if (isMap(test) && isMap(test.vars)) return [rowOf(test, { ...defaults, ...test.vars }, location, sink)]
  sink.diagnostic({
    ...location,
    message: typeof test === 'string' ? `is another file: ${JSON.stringify(test)}` : 'has no "vars"',
  })
  return []
}

function rowOf(
  test: Readonly<Record<string, unknown>>,
  vars: Readonly<Record<string, unknown>>,
  location: DataLocation,
  sink: DatasetSink,
): Row {
  for (const [name, value] of Object.entries(vars))
    if (textsOf(value as Json).some((text) => /^file:\/\//.test(text)))
      sink.diagnostic({
        ...location,
        message: `"${name}" is in another file (${JSON.stringify(value)}), which is not read; put the text in its place`,
      })
  const asserts: unknown[] = Array.isArray(test.assert) ? test.assert : []
  const expected = asserts.flatMap((one) =>
    isMap(one) && EQUALS.test(String(one.type)) ? textsOf(one.value as Json) : [],
  )
  return { fields: { ...(vars as Row['fields']), ...(expected.length > 0 && { expected }) }, location }
}
