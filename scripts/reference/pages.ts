import { loadCommands } from '../../src/cli/commands.ts'
import { helpOf } from '../../src/cli/parse.ts'
import {
  type CatalogEntry,
  type CatalogSection,
  catalog,
  catalogParams,
  type Param,
  type Topic,
} from '../../src/config/catalog.ts'
import { inputSchema } from '../../src/config/explain.ts'
import { loadParts } from '../../src/config/parts.ts'
import { configSchema } from '../../src/config/schema.ts'
import { engineSchema, filterSchema } from '../../src/config/trial-keys.ts'
import { datasetFormats } from '../../src/dataset/formats/index.ts'
import { FORMAT } from '../../src/results/format.ts'
import { COLUMN_TYPES, RESULT_TABLES, type ResultTable } from '../../src/results/tables.ts'
import { identifiersPage } from './identifiers.ts'
import { configJsonSchema } from './json-schema.ts'
import { llmsText } from './llms.ts'
import { seedsPage } from './seeds.ts'

/** Other files and folders of an experiment folder. */
export const RESULT_FILES_BESIDE: readonly (readonly [file: string, is: string])[] = [
  ['summary.json', 'means, intervals, comparison, funnel: read first by leaderboard and report'],
  [
    'manifest.json',
    'provenance of the result: hashes of its files, config and data, computed steps, the machine and the processor; its last key is the hash of the others',
  ],
  ['experiment.yaml', 'the config, with the changes of `--set`'],
  ['plan.json', 'input of workers: trials, recipes, shards'],
  ['answers.jsonl', 'completions of language models, for replay; only written if a trial uses one'],
  [
    'graphs.json',
    'description of the graphs that trials read, for the report; its hash is in the manifest, and it is not part of the result',
  ],
  ['parts/', 'one Parquet file per shard, named by its hash; a run resumes from these'],
  [
    'timings/',
    'milliseconds of steps (`steps.json`) and of queries (`latency.json`; each query in `latency.parquet`: trial, query, `latency_ms`); not part of the result',
  ],
]

/** Pages of docs/reference, generated from the definitions that validate configs. `scripts/docs.ts` writes them. */
export async function referencePages(): Promise<Readonly<Record<string, string>>> {
  await loadParts()
  return {
    'strategies.md': page(
      'Strategies',
      'strategies',
      'A trial names one strategy, with its params below the name.',
    ),
    'transforms.md': page('Transforms', 'transforms', 'Write them in `before` and `after` of a trial.'),
    'measures.md': page(
      'Measures',
      'measures',
      'Write them in `measures` or after `score -m`, as `recall@5` or `rbp(p=0.9)`.',
    ),
    'answers.md': page(
      'Answers',
      'answers',
      'Write answerers in `answer` and judges in `judge`, one or a list; every measure is computed if possible ([guide](../answers.md)).',
    ),
    'models.md': page(
      'Models',
      'models',
      'Write an embedder in `prepare.embedder` or `prepare.graphEmbedder`, a language model under a name that you choose in `models`, as `models: {small: {openai: {model: gpt-5-mini}}}`.',
    ),
    'formats.md': page(
      'Dataset formats',
      'formats',
      'Write a path in `dataset`, or a format with params, as `{beir: {path: ...}}`; [examples](../datasets.md).',
      formatTable(),
    ),
    'preparation.md': page(
      'Preparation',
      'preparation',
      'Choices for chunks, indexes, graphs and community reports.',
    ),
    'config.md': configPage(),
    'commands.md': await commandsPage(),
    'result-format.md': resultFormatPage(),
    'identifiers.md': identifiersPage(),
    'seeds.md': seedsPage(),
    'llms.txt': llmsText(),
    'config.schema.json': `${JSON.stringify(configJsonSchema(), null, 2)}\n`,
  }
}

const MADE = '<!-- Made by scripts/docs.ts from the code; changes here are lost. -->'

/** Table of all dataset formats: contents, the config line, and records and fields that are dropped. */
function formatTable(): string {
  const rows = datasetFormats.all.map(({ name, summary, drops, params }) => {
    const line = '`dataset: PATH`'
    const step = 'questions' in params.shape ? `${line}, and \`questions: FILE\`` : line
    return `| \`${name}\` | ${summary.replaceAll('|', '\\|')} | ${step} | ${drops} |`
  })
  return `## What opens how\n\n| format | opens | step | dropped |\n|---|---|---|---|\n${rows.join('\n')}`
}

function page(title: string, topic: Topic, intro: string, ...more: string[]): string {
  const sections = catalog(topic)
  const body = sections.flatMap((section) => renderSection(section, sections.length > 1))
  return `${[`# ${title}`, MADE, intro, ...more, ...body].join('\n\n')}\n`
}

function renderSection({ title, entries }: CatalogSection, named: boolean): string[] {
  const level = named ? '###' : '##'
  const list = entries.length > 0 ? entries.flatMap((entry) => renderEntry(entry, level)) : ['None yet.']
  return named
    ? [
        `## ${title.startsWith('prepare.') ? title : title.slice(0, 1).toUpperCase() + title.slice(1)}`,
        ...list,
      ]
    : list
}

function renderEntry({ name, summary, source, params }: CatalogEntry, level: string): string[] {
  const says = escaped(`${sentence(summary)}${source ? ` Source: ${sentence(source)}` : ''}`)
  return [`${level} ${name}`, says, ...(params.length > 0 ? [paramTable(params, 'param')] : [])]
}

function sentence(text: string): string {
  const first = text.slice(0, 1).toUpperCase() + text.slice(1)
  return /[.!?]$/.test(first) ? first : `${first}.`
}

function paramTable(params: readonly Param[], word: string): string {
  const rows = params.map(({ name, type, default: value, required, summary }) => {
    const otherwise =
      value !== undefined
        ? `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``
        : required
          ? 'required'
          : ''
    return `| \`${name}\` | ${[type, otherwise, summary].map(cell).join(' | ')} |`
  })
  return [`| ${word} | takes | default | is |`, '|---|---|---|---|', ...rows].join('\n')
}

function cell(text: string): string {
  return escaped(text).replaceAll('|', '\\|')
}

/** Escapes text so that it does not become a tag. */
function escaped(text: string): string {
  return text.replaceAll('<', '&lt;')
}

function configPage(): string {
  const schema = inputSchema(configSchema)
  const inside = (key: 'prepare' | 'context' | 'compare' | 'split') => [
    `## ${key}`,
    paramTable(catalogParams((schema.properties?.[key] ?? {}) as typeof schema), 'key'),
  ]
  return `${[
    '# Keys of a config',
    MADE,
    'A choice is always a name, or a map of one name to its params. Paths are relative to the file. `${NAME}` reads an environment variable; `--set KEY=VALUE` overrides any key. [config.schema.json](config.schema.json) is the same for editors: put `# yaml-language-server: $schema=...` into the first line.',
    paramTable(catalogParams(schema), 'key'),
    ...inside('prepare'),
    ...inside('context'),
    ...inside('compare'),
    ...inside('split'),
    '## engine',
    'A key next to the strategy in a trial; [engines](../scale.md#search-engines).',
    paramTable(catalogParams(inputSchema(engineSchema)), 'key'),
    '## filter',
    'A key next to the strategy in a trial; [filters](../corpus.md#filters).',
    paramTable(catalogParams(inputSchema(filterSchema)), 'key'),
  ].join('\n\n')}\n`
}

async function commandsPage(): Promise<string> {
  const parts: string[] = []
  for (const command of await loadCommands()) {
    parts.push(`## ${command.name}`, `\`\`\`text\n${helpOf(command, 100).trimEnd()}\n\`\`\``)
  }
  return `${['# Commands', MADE, ...parts].join('\n\n')}\n`
}

function resultFormatPage(): string {
  const types = Object.entries(COLUMN_TYPES).map(([name, parquet]) => `\`${name}\` is ${parquet}`)
  return `${[
    '# Files of an experiment',
    MADE,
    `Format ${FORMAT}. A folder of another format is reported and set aside, never migrated. The tables are Parquet with Snappy; ${types.join(', ')}, texts in UTF-8. Equal experiments have equal bytes in all tables and in \`summary.json\`. A finalist is a trial whose rankings are kept: at most 20, the baseline and the best of each strategy among them.`,
    ...RESULT_TABLES.flatMap((table) => [`## ${table.file}`, resultTable(table)]),
    '## Beside the tables',
    [
      '| file | is |',
      '|---|---|',
      ...RESULT_FILES_BESIDE.map(([file, is]) => `| \`${file}\` | ${is} |`),
    ].join('\n'),
    'The fields of the JSON files are the types `Summary`, `Manifest` and `Latency` of the package ([library](../library.md)), each with a comment.',
  ].join('\n\n')}\n`
}

function resultTable({ rows, columns, measures, judges }: ResultTable): string {
  const lines = columns.map(({ name, type, is }) => `| \`${name}\` | ${type} | ${escaped(is)} |`)
  const scores =
    "| one for each measure | number | its value, under the measure's name; NaN: does not count |"
  return [
    `A row: ${rows}.`,
    '',
    '| column | type | is |',
    '|---|---|---|',
    ...lines,
    ...(measures ? [scores] : []),
    ...(judges ? ['| one for each judge | number | its verdict, under its name; NaN: does not count |'] : []),
  ].join('\n')
}
