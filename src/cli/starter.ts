import { relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stringify } from 'yaml'

/**
 * Files that `touchstone init` writes: a commented config and a dataset small enough to read completely. The facts are
 * invented, so that no model knows them.
 */

const HEAD = `# A first experiment. Run it with
#     touchstone run touchstone.yaml
# and open the HTML report at the printed path. \`touchstone list\` shows all choices.`

const DATA = {
  name: 'starter',
  dataset: `# A BEIR folder: corpus.jsonl, queries.jsonl, qrels/test.tsv. Relative to this file.
dataset: dataset`,
  chunk: 'chunk: passages # every document is one chunk; or {tokens: {size: 256, overlap: 32}}',
}

const CORPUS: readonly (readonly [id: string, title: string, text: string])[] = [
  [
    'lighthouse',
    'Tarn Head lighthouse',
    'The lighthouse at Tarn Head was lit in 1874. Its lamp turns once in eleven seconds and burned whale oil until 1902.',
  ],
  [
    'keeper',
    'Osk Venner',
    'Osk Venner kept the light at Tarn Head for thirty years. He wrote down every passing ship and the weather of every night.',
  ],
  [
    'ferry',
    'The ferry Aldis',
    'The ferry Aldis crosses the strait four times a day. In a gale she stays in harbour, and travellers wait at the inn.',
  ],
  [
    'inn',
    'The Salt Kettle',
    'The Salt Kettle is the inn above the harbour. It serves smoked eel and rents out six rooms under the roof.',
  ],
  [
    'eels',
    'Eel smoking',
    'Eels are smoked over alder wood for nine hours. The smokehouses stand downwind of the village because of the smell.',
  ],
  [
    'harbour',
    'Lomm harbour',
    'The harbour of Lomm silts up and is dredged every spring. Its mole was built from the stones of the old prison.',
  ],
  [
    'prison',
    'The old prison',
    'The prison of Lomm was closed in 1911 after the last inmate had been set free. Smugglers made up most of those held there.',
  ],
  [
    'smuggling',
    'Smuggling in the strait',
    'Tea and lace were brought over the strait by night. The customs men had one slow cutter and caught few.',
  ],
  [
    'cutter',
    'The customs cutter Vigil',
    'The Vigil was the only vessel of the customs at Lomm. She ran aground below Tarn Head in 1889, in thick fog.',
  ],
  [
    'fog',
    'Fog signals',
    'In fog a horn sounds from the headland, two long blasts a minute. Before the horn there was a bell, rung by hand.',
  ],
  [
    'school',
    'The school at Lomm',
    'Lomm has one school with forty pupils. On the first day of May the children paint the boats in the harbour.',
  ],
  [
    'museum',
    'The strait museum',
    "The museum shows the keeper's logbooks, a bell that was once rung in fog, and a model of the cutter Vigil.",
  ],
]

const QUERIES: readonly (readonly [id: string, category: string, text: string, gold: readonly string[]])[] = [
  ['q1', 'fact', 'When was the lighthouse at Tarn Head lit?', ['lighthouse']],
  ['q2', 'fact', 'Which wood are eels smoked over?', ['eels']],
  ['q3', 'fact', 'How many pupils does the school at Lomm have?', ['school']],
  ['q4', 'paraphrase', 'Where can a passenger spend the night when no boat sails?', ['ferry', 'inn']],
  ['q5', 'paraphrase', 'Why did the authorities seldom seize contraband?', ['smuggling']],
  [
    'q6',
    'bridge',
    'What was the building that gave the harbour mole its stones closed for?',
    ['harbour', 'prison'],
  ],
  ['q7', 'bridge', 'Who kept the light below which the Vigil ran aground?', ['cutter', 'keeper']],
  ['q8', 'bridge', 'Where is the bell today that was rung before there was a horn?', ['fog', 'museum']],
]

const lines = (items: readonly unknown[]) => items.map((item) => `${JSON.stringify(item)}\n`).join('')

/** Files of an experiment over the invented facts, by path below the folder. */
export const starterFiles = (folder: string): Readonly<Record<string, string>> => ({
  'touchstone.yaml': configText(folder, HEAD, DATA),
  'dataset/corpus.jsonl': lines(CORPUS.map(([_id, title, text]) => ({ _id, title, text }))),
  'dataset/queries.jsonl': lines(
    QUERIES.map(([_id, category, text]) => ({ _id, text, metadata: { category } })),
  ),
  'dataset/qrels/test.tsv': `query-id\tcorpus-id\tscore\n${QUERIES.flatMap(([id, , , gold]) => gold.map((document) => `${id}\t${document}\t1\n`)).join('')}`,
})

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
