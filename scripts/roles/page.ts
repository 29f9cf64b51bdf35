import { ROLES, type Role } from './list.ts'
import type { EffectFigures, JudgeFigures, Measured, PromptFigures } from './measure.ts'

/**
 * Tokens that each model reads (prompt) and writes (completion) in a second on one free core: llama-bench (`pp512` and `tg64`;
 * 1.5B: `pp256` and `tg24`) of llama.cpp, built for the processor.
 */
const QUIET: Readonly<Record<string, { readonly prompt: number; readonly completion: number }>> = {
  '0.5b': { prompt: 177, completion: 54 },
  '1.5b': { prompt: 94, completion: 27 },
}

const SETS: Readonly<Record<string, string>> = { world: 'guilds', hotpot: 'HotpotQA' }

/** The generated page of all figures. */
export function rolesPage({ prompts, effects: all, judges }: Measured): string {
  const effects = all.filter((one) => !isOfPrompts(one))
  return `# Roles of language models, measured

<!-- Made by \`npx tsx scripts/roles.ts --write\` from docs/evidence/roles.json; changes here are lost. -->

Every role of a language model was measured with a real model on a real server: Qwen2.5-Coder-Instruct (${sizes(prompts)}, 4 bits) on
llama.cpp, with one or two threads, JSON by grammar and temperature 0. Models of this size are among the smallest that follow a schema. Larger models may differ, so do not choose or reject a strategy by these figures. Each row gives its number of questions; fewer questions
give wider intervals.

There are two sets. **guilds** is the generated world of [six strategies](../../datasets/systems/README.md), with 95 passages of about 30 words.
**HotpotQA** is 100 real questions over 994 passages, or over
their 200 gold passages where a model reads the whole corpus (column *passages*). The embedder is all-MiniLM-L6-v2.

## Output

- *valid*: share of first completions that the role can read. JSON must fit its schema. Tuples need at least one entity and the end mark.
  A cited answer needs words and a passage number, or must be a refusal. Any other text must not be empty.
- *repaired*: the same share after one request for a repair.
- *cut*: share of completions that reached the maximum of tokens. JSON that is cut cannot be read.
  The maximum was chosen for short runs (community reports: ${roleOf('reports').maxTokens} tokens), so a higher one may give better figures.
- *read (cached)* and *written*: mean tokens of a call; *cached* are those of *read* that the server had in its cache.
- *s*: mean seconds between two completions, with four or eight requests at once, on a busy machine.
- *s, quiet*: estimated seconds of a call on one free core with llama.cpp built for it, at ${QUIET['0.5b'].prompt} tokens read and ${QUIET['0.5b'].completion} written a second${quietOfLarger(prompts)}.

${table(
  [
    'role',
    'prompt',
    'model',
    'set',
    'calls',
    'valid',
    'repaired',
    'cut',
    'read (cached)',
    'written',
    's',
    's, quiet',
  ],
  inOrder(prompts).map((row) => [
    ...[nameOf(row.role), `\`${row.prompt}\``, row.model],
    ...[roleOf(row.role).judge ? 'labelled pairs' : SETS[row.set], String(row.requests)],
    ...[percent(row.valid), percent(row.repaired), percent(row.cut)],
    ...[`${Math.round(row.input)} (${Math.round(row.cachedInput)})`, String(Math.round(row.output))],
    ...[row.seconds.toFixed(1), quiet(row).toFixed(1)],
  ]),
)}

## Effect

Each row compares a strategy with the role and without it, over the same questions. The measure is recall@5 for retrieval and F1 for answers,
in points; brackets hold the 95 % interval of the paired difference. *changed* is the number of questions whose score changed.
Some roles fall back if a completion cannot be read. In the others, such as RAG-Fusion, the question fails and scores 0.

Without the model, a rule does the work. Answers are the sentence that \`extractive\` selects from the same passages. Graphs are those of \`rules\`.
Reports, summaries and relevance come from rules; titles replace headers.

${table(
  ['role', 'model', 'set', 'questions', 'passages', 'measure', 'with', 'without', 'difference', 'changed'],
  inOrder(effects).map((row) => [
    ...[nameOf(row.role), row.model, SETS[row.set], String(row.n), String(row.passages), row.measure],
    ...[`${points(row.means[1])} (\`${row.now}\`)`, `${points(row.means[0])} (\`${row.before}\`)`],
    ...[withInterval(row), String(row.changed)],
  ]),
)}

${verdicts(effects)}

## Prompts compared

The other prompts of a role are files in [scripts/roles/prompts](../../scripts/roles/prompts). Each replaced the built-in prompt, as \`prompt: FILE\` in a grid does.
The difference is to the row without the role. A built-in prompt is replaced by a significantly better one. The prompts of two
steps were replaced because a 0.5B model copied their form instead of writing points. With the earlier prompts of \`map-reduce\`, F1 on guilds was 0.0,
−14.2 [−17.8, −10.5] points from \`extractive\`. With the earlier prompt of GraphRAG global's map, 1 of 28 points quoted a report (14 questions of
guilds); with the present one 16 of 31 do. Recall@5 on these questions hardly differs: 30.4 before, 29.8 now.
On HotpotQA, 1,575 of the 2,080 points of 0.5B name the first report of their batch, and nearly every batch gets a point, so its map finds little there.
The third prompt for rewritten queries is ahead of the built-in one in all four rows, by 0.3 to 3.5 points. The two were not compared
by a test, so the built-in one stays.
The row of LightRAG keywords on guilds with 0.5B is older than the maximum length of lists, so some of its lists were cut.

${compared(prompts, effects)}
${cited(prompts, all.filter(isOfPrompts))}
## Judges against labels

The labels are right by construction (scripts/roles/labels.ts). Each pair has a right answer from a generated world, and a wrong one: the right answer
to another question of the same kind, in the same words. *agreement* is the share of verdicts that equal the label, with a 95 % interval;
guessing reaches 50 %. \`preference\` sees each pair in both orders. Without position bias, it prefers the first answer in 50 %. It
reads neither passages nor a reference, and the world is invented, so it cannot know which answer is right: only its bias is measured.

${table(
  ['judge', 'model', 'labelled', 'verdicts', 'agreement', 'kappa', 'same in both orders', 'first preferred'],
  judges.map((row) => [
    ...[`\`${row.role}\``, row.model, String(row.labels), String(row.verdicts)],
    ...(isBlind(row)
      ? ['-', '-']
      : [agreementOf(row), row.kappa === null ? '-' : row.kappa.toFixed(2).replace('-', '−')]),
    ...[share(row.bias?.consistent), share(row.bias?.first)],
  ]),
)}
${trusted(judges)}
${unmeasured({ prompts, effects, judges })}`
}

const sizes = (rows: readonly PromptFigures[]) =>
  [...new Set(rows.map(({ model }) => model))].map((size) => size.toUpperCase()).join(' and ')
/** With a space at which no line breaks. */
const percent = (value: number) => `${Math.round(100 * value)}\u00A0%`
const share = (value: number | null | undefined) => (value == null ? '-' : percent(value))
const points = (value: number) => (100 * value).toFixed(1)
const signed = (value: number) => `${value > 0 ? '+' : ''}${points(value)}`.replace('-', '−')
const withInterval = ({ difference, low, high }: EffectFigures) =>
  `${signed(difference)} [${signed(low)}, ${signed(high)}]`
const quiet = ({ input, cachedInput, output, model }: PromptFigures) =>
  (input - cachedInput) / QUIET[model].prompt + output / QUIET[model].completion
const quietOfLarger = (rows: readonly PromptFigures[]) =>
  rows.some(({ model }) => model === '1.5b')
    ? ` (1.5B: ${QUIET['1.5b'].prompt} and ${QUIET['1.5b'].completion})`
    : ''
/** True for a judge whose input does not tell which of the labelled answers is right. */
const isBlind = ({ role }: JudgeFigures) => role === 'preference'
const agreementOf = (row: JudgeFigures) =>
  row.low === null || row.high === null
    ? percent(row.share)
    : `${percent(row.share)} [${percent(row.low)}, ${percent(row.high)}]`

function roleOf(id: string): Role {
  const role = ROLES.find((one) => one.id === id)
  if (!role) throw new Error(`there is no role ${id}`)
  return role
}
const nameOf = (id: string) => roleOf(id).role

function inOrder<T extends { readonly role: string; readonly model: string; readonly set: string }>(
  rows: readonly T[],
): T[] {
  const place = ({ role, model, set }: T) =>
    ROLES.indexOf(roleOf(role)) * 100 + (model === '0.5b' ? 0 : 10) + Object.keys(SETS).indexOf(set)
  return [...rows].sort((a, b) => place(a) - place(b))
}

/** Sentences on the rows whose interval excludes zero. */
function verdicts(effects: readonly EffectFigures[]): string {
  const named = (rows: readonly EffectFigures[]) =>
    inOrder(rows)
      .map(
        (row) => `${nameOf(row.role)} (${row.model}, ${SETS[row.set]}, \`${row.now}\`: ${withInterval(row)})`,
      )
      .join('; ') || 'none'
  const still = effects.filter(({ changed }) => changed === 0)
  return `- Better (interval above zero): ${named(effects.filter(({ low }) => low > 0))}.
- Worse (interval below zero): ${named(effects.filter(({ high }) => high < 0))}.
- No question changed: ${
    inOrder(still)
      .map((row) => `${nameOf(row.role)} (${row.model}, ${SETS[row.set]})`)
      .join('; ') || 'none'
  }.
- All other rows: no significant difference. Each interval is for its row alone; 5 % of them leave out zero by chance.`
}

/** Effects of the roles with several prompts. */
function compared(prompts: readonly PromptFigures[], effects: readonly EffectFigures[]): string {
  const rows = inOrder(effects).filter(({ role }) =>
    ROLES.some(({ own }) => own?.some((name) => name.split('-')[0] === kindOf(role))),
  )
  return table(
    ['prompt', 'model', 'set', 'questions', 'valid', 'written', 'difference'],
    rows.map((row) => {
      const output = prompts.find(
        ({ role, set, model }) => role === row.role && set === row.set && model === row.model,
      )
      return [
        ...[nameOf(row.role), row.model, SETS[row.set], String(row.n)],
        ...[output ? percent(output.valid) : '-', output ? String(Math.round(output.output)) : '-'],
        withInterval(row),
      ]
    }),
  )
}

/** True if an effect is that of a prompt over another, not that of a role. */
const isOfPrompts = ({ before }: EffectFigures) => before.includes(' prompt=')

/** File of the prompt of an answerer like `llm prompt=mine.md`. */
const promptOf = ({ now }: EffectFigures) => now.slice(now.indexOf('=') + 1)

/** Prompts of answers with citations against the shipped one; '' without any. */
function cited(prompts: readonly PromptFigures[], effects: readonly EffectFigures[]): string {
  const of = (row: EffectFigures, measure: string) =>
    effects.find(
      (one) =>
        one.model === row.model && one.set === row.set && one.now === row.now && one.measure === measure,
    )
  const rows = inOrder(effects).filter(({ measure }) => measure === 'cited')
  if (rows.length === 0) return ''
  const cells = (row: EffectFigures | undefined) =>
    row ? [points(row.means[0]), points(row.means[1]), withInterval(row)] : ['', '', '']
  return `
Answers with citations by another prompt, against the shipped \`answer\` over the same questions: the share of answers that name a
passage, F1 of the answers with a reference, and the share of sent gold passages that are cited, all in points.

${table(
  [
    ...['prompt', 'model', 'set', 'valid', 'cite a passage: shipped', 'other', 'difference'],
    ...['F1: shipped', 'other', 'difference', 'cited gold: shipped', 'other', 'difference'],
  ],
  rows.map((row) => {
    const own = prompts.find(
      ({ prompt, set, model }) => prompt === promptOf(row) && set === row.set && model === row.model,
    )
    return [
      ...[
        `\`${promptOf(row)}\``,
        row.model,
        `${SETS[row.set]}, ${row.n} questions`,
        own ? percent(own.valid) : '-',
      ],
      ...[row, of(row, 'answer_f1'), of(row, 'citation_recall')].flatMap(cells),
    ]
  }),
)}
`
}

const kindOf = (id: string) => ({ plain: 'plain', cited: 'plain' })[id] ?? id.split('-')[0]

/** Questions, or labelled pairs, behind the calls of a row; a role without either has one call per question. */
function askedOf({ role, set, model, requests }: PromptFigures, { effects, judges }: Measured): number {
  const own = effects.find((one) => one.role === role && one.set === set && one.model === model)
  const judge = judges.find((one) => one.role === role && one.model === model)
  const labelsOfPair = roleOf(role).judge?.labels === 'pairs' ? 1 : 2
  return own?.n ?? (judge ? judge.labels / labelsOfPair : requests)
}

/** Hours of the larger model for 100 questions, or labelled pairs, of each row of the small one, on one free core. */
function hoursOfLarger(measured: Measured): number {
  const seconds = measured.prompts
    .filter(({ model }) => model === '0.5b')
    .map((row) => (quiet({ ...row, model: '1.5b' }) * row.requests * 100) / askedOf(row, measured))
  return seconds.reduce((sum, one) => sum + one, 0) / 3600
}

/** Section on the rows without figures. */
function unmeasured(measured: Measured): string {
  const { prompts, effects } = measured
  const lacking = (size: string) =>
    ROLES.filter(({ id }) => !prompts.some(({ role, model }) => role === id && model === size))
  const small = lacking('0.5b')
  const large = lacking('1.5b')
  const onWorldAlone = ROLES.filter(
    ({ id, judge }) =>
      !judge &&
      !small.some((one) => one.id === id) &&
      !prompts.some(({ role, model, set }) => role === id && model === '0.5b' && set === 'hotpot'),
  )
  const few = inOrder(effects).filter(({ n, model }) => model === '0.5b' && n < LEAST)
  const list = [...new Set(few.map(({ role, set }) => `${nameOf(role)} (${SETS[set]})`))]
  return `
## Not measured

${small.length === 0 ? '' : `- 0.5B has no figures for: ${small.map(({ role }) => role).join(', ')}.\n`}- 1.5B was ${large.length === ROLES.length ? 'not run' : `run in ${ROLES.length - large.length} of ${ROLES.length} roles${large.length > 0 && large.length < 6 ? ` (not in: ${large.map(({ role }) => role).join('; ')})` : ''}`}. On one free core it reads ${QUIET['1.5b'].prompt} and writes ${QUIET['1.5b'].completion} tokens a second. 100 questions or labelled pairs in
  each row of the first table would take it about ${hoursOfLarger(measured).toFixed(0)} hours.
- With 0.5B on guilds alone: ${onWorldAlone.map(({ role }) => role).join('; ') || 'none'}.
- Fewer than ${LEAST} questions with 0.5B: ${list.join(', ') || 'none'}.

\`npx tsx scripts/roles.ts --url URL --sets hotpot --only hop\` measures a role on a set, and \`--write\` adds it here. All other rows stay.
`
}

/** Fewest questions of a row that is no trial. */
const LEAST = 80

/** Sentence on the judges whose agreement is above chance. */
function trusted(judges: readonly JudgeFigures[]): string {
  const above = judges.filter((row) => !isBlind(row) && (row.low ?? 0) > 0.5)
  return `
Better than guessing (interval above 50 %): ${above.map(({ role, model }) => `\`${role}\` (${model})`).join(', ') || 'none'}. Do not use the verdicts of the others.
Compare a judge with [labels of your own](../answers.md#judges) before you use it.`
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n')
}
