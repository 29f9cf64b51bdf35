import type { CatalogEntry, CatalogSection, Param, Topic } from '../../config/catalog.ts'
import { type Column, terminalTable } from '../../report/table.ts'
import { defineCommand } from '../command.ts'

const TOPICS: readonly Topic[] = [
  'strategies',
  'transforms',
  'measures',
  'answers',
  'models',
  'formats',
  'preparation',
]

export default defineCommand({
  name: 'list',
  summary: 'list the choices of a config, with params and defaults',
  args: {
    topic: { value: 'TOPIC', summary: 'topic to list (default: all)', optional: true, choices: TOPICS },
  },
  options: {},
  examples: ['touchstone list strategies', 'touchstone list measures --json'],
  async run({ args, io }) {
    // Loaded late: help needs no registry.
    const [{ catalog }, { loadParts }] = await Promise.all([
      import('../../config/catalog.ts'),
      import('../../config/parts.ts'),
    ])
    await loadParts()
    const topics = args.topic === undefined ? TOPICS : [args.topic]
    const sections = topics.map((topic) => [topic, catalog(topic)] as const)
    const texts = sections.flatMap(([, list]) => list.map((section) => render(section, io.columns)))
    io.result(Object.fromEntries(sections), texts.join('\n\n'))
  },
})

function render({ title, entries }: CatalogSection, columns: number): string {
  const none = entries.length === 0 ? ['  none'] : []
  return [title.toUpperCase(), ...none, ...entries.map((entry) => renderEntry(entry, columns))].join('\n')
}

/** Characters of a default in the second column; longer ones follow the summary. */
const LONGEST = 24

function renderEntry({ name, summary, params }: CatalogEntry, columns: number): string {
  const head = terminalTable([[name, summary]], texts(2), { width: columns, indent: 2 })
  if (params.length === 0) return head
  const rows = params.map((param) => {
    const value = defaultOf(param)
    const long = value.length > LONGEST
    const words = [param.summary, `${param.type}${long ? `; default ${value.replaceAll(',', ', ')}` : ''}`]
    return [param.name, long ? '...' : value, words.filter(Boolean).join(': ')]
  })
  return `${head}\n${terminalTable(rows, texts(3), { width: columns, indent: 6 })}`
}

/** Columns of texts without heads. */
function texts(count: number): Column<readonly string[]>[] {
  return Array.from({ length: count }, (_, at) => ({ head: '', left: true, text: (row) => row[at] }))
}

function defaultOf({ default: value, required }: Param): string {
  if (value !== undefined) return typeof value === 'string' ? value : JSON.stringify(value)
  return required ? '(required)' : '-'
}
