import { ROLES, type Role } from './list.ts'
import type { EffectFigures, JudgeFigures, Measured, PromptFigures } from './measure.ts'

/** Tokens a second of the small model on one core without other work: prompt, and completion. */
export const QUIET = { prompt: 78, completion: 38 }

const SETS: Readonly<Record<string, string>> = { world: 'guilds', hotpot: 'HotpotQA' }

/** The generated page of all figures; `questions` that were asked are in each row. */
export function rolesPage({ prompts, effects, judges }: Measured): string {
  return `# Roles of language models, measured

<!-- Made by \`npx tsx scripts/roles.ts --write\` from docs/evidence/roles.json; changes here are lost. -->

Each role that asks a language model, with a real model on a real server: Qwen2.5-Coder-Instruct (${sizes(prompts)}, 4 bits, llama.cpp,
one thread a server, JSON by grammar), temperature 0. It is one of the smallest models that follow a
schema, so the figures say little about larger models, and recommend for or against no strategy. Every row gives its number of questions: where it is
below 100, the model was too slow on the machine at hand for more, and the interval is wide.

Sets: **guilds**, the generated world of [six strategies](../../datasets/systems/README.md) (95 passages of some 30 words), and
**HotpotQA**, 100 real questions (994 passages). Where a model reads the whole corpus, or a graph of it is needed, the corpus is cut to
the gold passages of the questions in the row; \`passages\` says how many there are. Vectors are all-MiniLM-L6-v2's.

## Output

- *valid*: completions that can be read at the first request. JSON that fits its schema; of tuples, at least one and the end mark; of an answer,
  words with a passage number, or a refusal; of a text, that it is not empty. *repaired*: the same after the one repair.
- *tokens*: mean of a call, read (of these from the server's cache) and written.
- *s*: mean time between completions, with four requests at once, on a machine that other work kept busy. *s, quiet*: what the tokens
  take on one free core, at ${QUIET.prompt} tokens read and ${QUIET.completion} written a second.

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

The same strategy with the role and without it, over the same questions: recall@5 of retrieval, F1 of answers, in points, with a 95 % interval of
the paired difference. *changed*: questions whose score changed. An answer is compared to the sentence that \`extractive\` takes from the same
passages, an extracted graph to that of \`rules\`, reports, summaries and relevance to those that rules make, headers to titles.

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

The other and the third prompt of a role are files in [scripts/roles/prompts](../../scripts/roles/prompts), asked with in place of the shipped one; \`prompt: FILE\`
in a grid does the same. A prompt is changed only where another one is better by the interval: none is. The shipped keywords on the guilds were asked for with a
list without an end; lists have one since.

${compared(prompts, effects)}

## Judges against labels

Answers of the generated worlds that are right or wrong by construction: 100 pairs of a right answer and of the right answer to another question of
the same kind, in the same words (scripts/roles/labels.ts). *agreement*: share of the verdicts that say what the label says, with a 95 % interval; guessing
gets 50 %. *same in both orders* and *first preferred* are of \`preference\`, which sees each pair in both orders: a judge without position bias
prefers the first answer in 50 %.

${table(
  ['judge', 'model', 'labelled', 'verdicts', 'agreement', 'kappa', 'same in both orders', 'first preferred'],
  judges.map((row) => [
    ...[`\`${row.role}\``, row.model, String(row.labels), String(row.verdicts), agreementOf(row)],
    ...[row.kappa === null ? '-' : row.kappa.toFixed(2).replace('-', '−')],
    ...[share(row.bias?.consistent), share(row.bias?.first)],
  ]),
)}
${trusted(judges)}
${unmeasured(prompts)}`
}

const sizes = (rows: readonly PromptFigures[]) =>
  [...new Set(rows.map(({ model }) => model))].map((size) => size.toUpperCase()).join(' and ')
const percent = (value: number) => `${Math.round(100 * value)} %`
const share = (value: number | null | undefined) => (value == null ? '-' : percent(value))
const points = (value: number) => (100 * value).toFixed(1)
const signed = (value: number) => `${value > 0 ? '+' : ''}${points(value)}`.replace('-', '−')
const withInterval = ({ difference, low, high }: EffectFigures) =>
  `${signed(difference)} [${signed(low)}, ${signed(high)}]`
const quiet = ({ input, cachedInput, output }: PromptFigures) =>
  (input - cachedInput) / QUIET.prompt + output / QUIET.completion
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
  return `- Better, with an interval above zero: ${named(effects.filter(({ low }) => low > 0))}.
- Worse, with an interval below zero: ${named(effects.filter(({ high }) => high < 0))}.
- No question changed: ${
    inOrder(still)
      .map((row) => `${nameOf(row.role)} (${row.model}, ${SETS[row.set]})`)
      .join('; ') || 'none'
  }.
- All others: no difference that so few questions can show. Intervals are of each row alone, not corrected for the number of rows.`
}

/** Roles that were asked with several prompts, by what they are without the prompt's number. */
function compared(prompts: readonly PromptFigures[], effects: readonly EffectFigures[]): string {
  const rows = inOrder(effects).filter(({ role }) =>
    ROLES.some(({ own }) => own?.split('-')[0] === kindOf(role)),
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

const kindOf = (id: string) => ({ plain: 'plain', cited: 'plain' })[id] ?? id.split('-')[0]

/** Section on the roles of the list without figures; empty if all have some. */
function unmeasured(prompts: readonly PromptFigures[]): string {
  const missing = ROLES.filter(({ id }) => !prompts.some(({ role }) => role === id))
  const other = prompts.some(({ model }) => model === '1.5b')
    ? ''
    : 'The model of 1.5 billion parameters was not run: it writes a third as fast. '
  const names = missing.map(({ role }) => role).join(', ')
  if (missing.length === 0 && other === '') return ''
  return `
## Not measured

${other}${names === '' ? '' : `Without figures for lack of time on a shared machine: ${names}. `}The same command measures what is missing.
`
}

/** Sentence on the judges whose agreement is above chance. */
function trusted(judges: readonly JudgeFigures[]): string {
  const above = judges.filter(({ low }) => (low ?? 0) > 0.5)
  return `
Above chance, by the interval: ${above.map(({ role, model }) => `\`${role}\` (${model})`).join(', ') || 'none'}. A judge below that line decides nothing; before
you use one, hold it against [labels of your own](../answers.md#judges).`
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n')
}
