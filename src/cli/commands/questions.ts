import { basename, dirname } from 'node:path'
import { UserError } from '../../errors.ts'
import { draftQuestions } from '../../library/draft-questions.ts'
import { type Dropped, type Kind, MODEL_KINDS, RULE_KINDS } from '../../questions/draft.ts'
import { REWORDINGS } from '../../questions/reword.ts'
import { sheetText } from '../../questions/sheet.ts'
import { NEW_FILE, requireOutputs, writeOutput } from '../../store/output.ts'
import { didYouMean } from '../../text/nearest.ts'
import { shownPath } from '../../text/printable.ts'
import { choice, defineCommand, flag, integer, list, output, text } from '../command.ts'
import type { Io } from '../io.ts'

/** Written anew, unlike drafted questions, which may have been edited. */
const DROPPED = {
  name: 'a list of dropped questions',
  isOwn: (beginning: string) => beginning === '' || beginning.startsWith('{"kind":"'),
}
const SHEET = {
  name: 'a quality sheet',
  isOwn: (beginning: string) => beginning.startsWith('# Drafted questions'),
}

const KINDS: readonly Kind[] = [...RULE_KINDS, ...MODEL_KINDS]

export default defineCommand({
  name: 'questions',
  summary:
    'draft questions about documents, by rules (English only) or with a model; each is marked as synthetic',
  args: {
    action: { value: 'ACTION', summary: 'action', choices: ['draft'] },
    source: { value: 'CONFIG|DATASET', summary: 'config, or a folder or file of documents' },
  },
  options: {
    out: output(
      'FILE',
      'questions to write (default: questions.jsonl), with FILE.dropped.jsonl and FILE.quality.md; for a corpus that is no folder of documents a new BEIR folder',
    ),
    count: integer('N', 'questions to draft', { short: 'n', min: 1, max: 10_000, default: 40 }),
    kinds: text(
      'KINDS',
      `kinds of questions, such as --kinds definition,table: ${RULE_KINDS.join(', ')}; with --model ${MODEL_KINDS.join(', ')} (default: all of either)`,
    ),
    reword: choice(
      'RULE',
      REWORDINGS,
      "reword questions by rule: half of the gold's words removed, or synonyms in their place",
    ),
    noArms: flag('run no arms: faster, but questions whose gold every arm finds first are not used last'),
    model: text('NAME', 'model of the config that drafts, and checks in a second call'),
    persona: list('WHO', 'with --model: description of the asker; may be repeated'),
  },
  examples: [
    'touchstone questions draft docs -n 20 --no-arms -o drafted.jsonl',
    'touchstone questions draft touchstone.yaml --model small --persona "a new customer" -o drafted.jsonl',
  ],
  interrupted: 'completions are stored',
  async run({ args, options, io, signal }) {
    const { model, persona: personas } = options
    if (personas.length > 0 && model === undefined) throw new UserError('--persona goes with --model')
    const kinds = readKinds(options.kinds, model !== undefined)
    const out = io.path(options.out ?? 'questions.jsonl')
    const [droppedFile, sheetFile] = [`${out}.dropped.jsonl`, `${out}.quality.md`]
    requireOutputs([
      { path: out, kind: NEW_FILE },
      { path: droppedFile, kind: DROPPED },
      { path: sheetFile, kind: SHEET },
    ])
    const writeDropped = (dropped: readonly Dropped[]) =>
      writeOutput(droppedFile, droppedLines(dropped), DROPPED)
    const drafted = await draftQuestions(
      io,
      args.source,
      {
        kinds,
        model,
        personas,
        signal,
        notice: io.err,
        count: options.count,
        seed: 0,
        noArms: options.noArms,
        reword: options.reword,
      },
      writeDropped,
    )
    if (drafted.lines === null) drafted.writeBeir(out)
    else writeOutput(out, drafted.lines, NEW_FILE)
    writeDropped(drafted.dropped)
    writeOutput(sheetFile, sheetText(drafted.sheet), SHEET)
    const { sheet } = drafted
    io.result({ questions: out, dropped: droppedFile, sheet }, () =>
      [
        sheetText(sheet).replace(/\n$/, ''),
        `questions: ${io.shown(out)}`,
        `dropped, with reasons: ${io.shown(droppedFile)}`,
        `quality sheet: ${io.shown(sheetFile)}`,
        ...(drafted.lines === null ? [] : [nextStep(io.path(args.source), out, io)]),
      ].join('\n'),
    )
  },
})

/** Config line that takes the questions, then the review. Paths of a config begin at its folder. */
function nextStep(source: string, out: string, io: Io): string {
  const isConfig = /\.ya?ml$/i.test(source)
  const from = dirname(out)
  const name = isConfig
    ? `Name them in the dataset of ${basename(source)}: questions: ${shownPath(dirname(source), out)}; or append them to your own questions.jsonl`
    : `Write a config next to them: dataset: {folder: {path: ${shownPath(from, source)}, questions: ${basename(out)}}}`
  const config = isConfig ? io.shown(source) : 'CONFIG'
  return `${name}\nThen delete the poor ones, or review them in the browser: touchstone labels review LABELS ${config}`
}

function readKinds(text: string | undefined, withModel: boolean): readonly Kind[] {
  if (text === undefined) return withModel ? MODEL_KINDS : RULE_KINDS
  const names = text.split(',').map((name) => name.trim())
  const wrong = names.filter((name) => !(KINDS as readonly string[]).includes(name))
  if (wrong.length > 0)
    throw new UserError(
      wrong.map((name) => ({
        message: `--kinds: there is no kind \`${name}\`${didYouMean(name, KINDS)}; there are ${KINDS.join(', ')}`,
      })),
    )
  const lacking = names.filter((name) => (MODEL_KINDS as readonly string[]).includes(name))
  if (lacking.length > 0 && !withModel) throw new UserError(`--kinds: ${lacking.join(', ')} need --model`)
  return names as Kind[]
}

function droppedLines(dropped: readonly Dropped[]): string {
  return dropped
    .map(({ draft: { kind, text, from }, reason }) => `${JSON.stringify({ kind, text, from, reason })}\n`)
    .join('')
}
