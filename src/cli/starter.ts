import { existsSync, readFileSync } from 'node:fs'
import { relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stringify } from 'yaml'
import { type Diagnostic, UserError } from '../errors.ts'

const HEAD = `# A first experiment. Run it with
#     touchstone run touchstone.yaml
# and open the HTML report at the printed path. \`touchstone list\` shows all choices.`

const DATA = {
  name: 'starter',
  dataset: `# A BEIR folder: corpus.jsonl, queries.jsonl, qrels/test.tsv. Relative to this file.
dataset: dataset`,
  chunk: 'chunk: passages # every document is one chunk; or {tokens: {size: 256, overlap: 32}}',
}

const FILES = ['corpus.jsonl', 'queries.jsonl', 'qrels/test.tsv']

/** Files of an experiment over invented facts, which no model knows. */
export function starterFiles(folder: string): Readonly<Record<string, string>> {
  const data = packageFiles(FILES.map((file) => [`dataset/${file}`, `datasets/starter/${file}`]))
  const texts = [...data].map(([file, content]) => [file, content.toString()])
  return { 'touchstone.yaml': configText(folder, HEAD, DATA), ...Object.fromEntries(texts) }
}

/** Contents of files of this package by their new path. Throws a UserError for every missing file. */
export function packageFiles(
  files: readonly (readonly [path: string, source: string])[],
): Map<string, Buffer> {
  const contents = new Map<string, Buffer>()
  const missing: Diagnostic[] = []
  for (const [path, source] of files) {
    const file = fileURLToPath(new URL(source, new URL('../../', import.meta.url)))
    if (existsSync(file)) contents.set(path, readFileSync(file))
    else missing.push({ file, message: 'is missing from the package; install it again' })
  }
  if (missing.length > 0) throw new UserError(missing)
  return contents
}

interface StarterData {
  readonly name: string
  /** With comments above. */
  readonly dataset: string
  /** Line `chunk:` with its comment. */
  readonly chunk: string
}

/** The first line lets editors complete and check the config. */
export function configText(folder: string, head: string, { name, dataset, chunk }: StarterData): string {
  return `# yaml-language-server: $schema=${schemaFrom(folder)}
${head}
${stringify({ name }, { lineWidth: 0 }).trim()}

${dataset}

prepare:
  ${chunk}
  ${EMBEDDER}

trials:
  - title-ppr # the default choice: hybrid, then a walk along titles that passages mention
  - naive # dense search only
  - bm25 # lexical search only
  - hybrid # both, fused
  # - hybrid: {grid: {alpha: [0.3, 0.5, 0.7]}} # a trial for each weight; more trials need more questions for a verdict

measures: [recall@1, recall@5, mrr@10, ndcg@10]

compare:
  by: ndcg@10 # the primary measure
  baseline: naive # the trial that others are compared with
`
}

/** Placeholder: the embedder is chosen last, as a choice may download a model. */
const EMBEDDER = 'embedder: lsa'

export function withEmbedderLine(config: string, line: string): string {
  return config.replace(`\n  ${EMBEDDER}\n`, () => `\n  ${line}\n`)
}

function schemaFrom(folder: string): string {
  const schema = fileURLToPath(new URL('../../docs/reference/config.schema.json', import.meta.url))
  return encodeURI(relative(folder, schema).split(sep).join('/'))
}
