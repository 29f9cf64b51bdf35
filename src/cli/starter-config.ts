import { relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stringify } from 'yaml'

/** Data-specific parts of a starter config. */
interface StarterData {
  readonly name: string
  /** Comments above `dataset:`, and the line itself. */
  readonly dataset: string
  /** Line `chunk:` with its comment. */
  readonly chunk: string
}

/** The first line is a comment by which editors complete and check a config. */
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

/** Placeholder of the line `embedder`, which is chosen last: a choice may download a model. */
const EMBEDDER = 'embedder: lsa'

/** The config with another line in place of its embedder. */
export function withEmbedderLine(config: string, line: string): string {
  return config.replace(`\n  ${EMBEDDER}\n`, () => `\n  ${line}\n`)
}

/** Path of the package's schema, relative to the config's folder. */
function schemaFrom(folder: string): string {
  const schema = fileURLToPath(new URL('../../docs/reference/config.schema.json', import.meta.url))
  return encodeURI(relative(folder, schema).split(sep).join('/'))
}
