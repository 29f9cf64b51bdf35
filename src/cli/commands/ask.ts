import { performance } from 'node:perf_hooks'
import type { Trial } from '../../config/experiment.ts'
import { UserError } from '../../errors.ts'
import {
  type AnswerEvent,
  type AnswerToQuestion,
  answerOne,
  findAnswerer,
} from '../../experiment/answer-one.ts'
import { askTrial, type QueryTrace, requireQuestion } from '../../experiment/ask.ts'
import { openOne } from '../../experiment/plan/open.ts'
import { prepareAll } from '../../experiment/plan/prepare.ts'
import { dollarText } from '../../experiment/plan/spending.ts'
import { logQuery, requireLogs } from '../../experiment/query-log.ts'
import { notesOf, openAskTrials } from '../../library/ask-trials.ts'
import { type AskedTrial, type AskedTrials, changeOf } from '../../library/asked-types.ts'
import { findTrial, openConfig } from '../../library/open-config.ts'
import { plural, quantity } from '../../report/numbers.ts'
import { oneLine } from '../../report/terminal.ts'
import { headingPath } from '../../text/headings.ts'
import { defineCommand, flag, integer, list, text } from '../command.ts'
import type { Io } from '../io.ts'
import { configFile, SET, STORE } from '../options.ts'

export default defineCommand({
  name: 'ask',
  summary: 'ask one trial a question, or compare the rankings of two or three; shows sources and timings',
  args: {
    config: { value: 'CONFIG', summary: 'YAML file' },
    question: { value: 'QUESTION', summary: 'question, in quotes' },
  },
  options: {
    set: SET,
    store: STORE,
    trial: list(
      'NAME',
      'trial by name, short name or strategy (default: the first); if given two or three times, the rankings side by side',
      't',
    ),
    depth: integer('N', 'number of sources to show', { min: 1, max: 1000, default: 5 }),
    scores: flag(
      'show rank and score of each source after every ranking step, with the part that a boost added',
    ),
    documents: flag('show only the best source of each document'),
    route: flag('only show which arm the router of the trial chooses, and by which rule'),
    metadata: list(
      'NAME=VALUE',
      'metadata of the question, which a filter reads, such as lang=en; may be repeated',
    ),
    answer: text('NAME', 'write an answer with this answerer of `answer`, shown while it is written', {
      short: 'a',
    }),
    log: text('FOLDER', 'append this question to the three JSONL logs in this folder', { output: true }),
  },
  examples: [
    'touchstone ask configs/quickstart.yaml "Where in the museum is K-577?" --trial bm25',
    'touchstone ask configs/quickstart.yaml "Where in the museum is K-577?" --trial bm25 --trial hybrid',
    'touchstone ask configs/routing.yaml "How is Dirk Selwick related to Jonna Lummond?" --trial router --route',
    'touchstone ask configs/systems/rag-ing.yaml "How was ERR-4100 solved?" --answer extractive',
  ],
  interrupted: 'prepared data is stored',
  async run({ args, options, io, signal }) {
    requireQuestion(args.question)
    const metadata = metadataOf(options.metadata)
    if (options.log !== undefined) requireLogs(io.path(options.log))
    const open = await openConfig(io, configFile(io.folder, args.config), options)
    const trials = options.trial.map((name) => findTrial(name, open.trials))
    if (trials.length > 1) {
      refuseOptions(options)
      const ask = openAskTrials(open, io.progress)
      const result = await ask(trials, args.question, { depth: options.depth, metadata })
      if (result.trials.every(({ failed }) => failed !== null))
        throw new UserError(result.trials.map(({ failed }) => ({ message: String(failed) })))
      return io.result(result, askedTrialsText(result, options.scores))
    }
    const [trial] = trials.length > 0 ? trials : open.trials
    if (options.route) {
      const routed = await routeOf(trial, args.question)
      return io.result(routed, `${routed.arm}\n  ${routed.rule}: ${routed.because}`)
    }
    await prepareAll(openOne(open, trial), io.progress)
    const way = options.answer === undefined ? null : findAnswerer(open.experiment.answering, options.answer)
    const clock = () => performance.now()
    const askOptions = { byDocument: options.documents, metadata }
    const trace = await askTrial(open, trial, args.question, options.depth, clock, askOptions)
    const retrieval = trace.asked.milliseconds
    if (!options.json) io.out(`${render(trace.asked, options.scores)}${way ? '\n\n' : ''}`)
    const onEvent = options.json ? undefined : showText(io)
    const answer =
      way && (await answerOne(open, trial, way, args.question, trace, { clock, signal, onEvent }))
    if (options.json) io.json(answer ? { ...trace.asked, answer } : trace.asked)
    else if (answer) io.out(`\n\n${renderAnswer(answer)}`)
    if (options.log === undefined) return
    const chunks = trace.asked.sources.map(({ chunk }) => chunk)
    const logged = { trial: trial.name, question: args.question, metadata, chunks, retrieval, answer }
    logQuery(io.path(options.log), logged, open.dataset, new Date())
  },
})

function refuseOptions(options: Readonly<Record<string, unknown>>): void {
  for (const name of ['answer', 'documents', 'log', 'route'])
    if (options[name]) throw new UserError(`--${name} takes one trial; name one by --trial`)
}

/** Arm that rules choose. Throws a UserError for a trial without rules. */
async function routeOf({ name, strategy, params: { rules } }: Trial, question: string) {
  const { readRules, routeByRules } = await import('../../retrieve/router/rules.ts')
  if (strategy !== 'router' || typeof rules !== 'string' || rules === 'fitted')
    throw new UserError(`--route: the trial \`${name}\` is no router by rules; name one by --trial`)
  return routeByRules(question, readRules(rules))
}

/** Lists of texts by name. Throws a UserError for anything but `NAME=VALUE`. */
function metadataOf(texts: readonly string[]): Readonly<Record<string, readonly string[]>> {
  const pairs = texts.map((text): [string, string] => {
    const equals = text.indexOf('=')
    if (equals < 1)
      throw new UserError('is not of the form NAME=VALUE, as --metadata lang=en', `--metadata ${text}`)
    return [text.slice(0, equals), text.slice(equals + 1)]
  })
  return Object.fromEntries(
    pairs.map(([name]) => [name, pairs.flatMap(([other, value]) => (other === name ? [value] : []))]),
  )
}

const ANEW = {
  broken: 'the stream broke off and begins anew',
  reasoning: 'that was reasoning of the model; its answer follows',
}

/** Prints a text while it grows; one that starts again gets a new line. */
function showText(io: Pick<Io, 'part'>): (event: AnswerEvent) => void {
  let shown = ''
  return (event) => {
    if (event.event !== 'text') return
    const { text, anew } = event
    io.part(anew ? `\n(${ANEW[anew]})\n${text}` : text.slice(shown.length))
    shown = text
  }
}

function renderAnswer(answer: AnswerToQuestion): string {
  const { answerer, refused, cited, wrong, passages, sent, models, kept, dollars, milliseconds } = answer
  const lines = [`${answerer}${refused ? ': a refusal' : ''}`]
  if (answer.fellBack !== null) lines.push(`  fell back: ${answer.fellBack}`)
  if (answer.suggestion !== null) lines.push(`  suggested: ${oneLine(answer.suggestion)}`)
  for (const number of cited) {
    const { heading, text } = passages[number - 1]
    lines.push(`  [${number}] ${oneLine(heading || text)}`)
  }
  for (const number of wrong) lines.push(`  [${number}] is no passage that was sent`)
  lines.push(`  sent: ${passages.length} passages, ${sent} tokens`)
  if (models.length > 0) {
    const price = dollars === null ? 'price unknown' : dollarText(dollars)
    const took = kept ? 'stored completion, nothing was asked' : `${milliseconds.toFixed(0)} ms, ${price}`
    const { inputTokens, outputTokens, estimated } = answer
    lines.push(
      `  ${models.join(', ')}: ${inputTokens} tokens read, ${outputTokens} written${estimated ? ' (estimated)' : ''}; ${took}`,
    )
  }
  return lines.join('\n')
}

/** Milliseconds of each step, counters and notes, a line each. */
function traceLines({
  steps,
  counters,
  notes,
}: Pick<AskedTrial, 'steps' | 'counters' | 'notes'>): readonly string[] {
  return [
    ...steps.map(({ step, milliseconds }) => `${step.padEnd(24)}${milliseconds.toFixed(2).padStart(10)} ms`),
    ...Object.entries(counters).map(([name, count]) => `${name.padEnd(24)}${String(count).padStart(10)}`),
    ...notes.map(([name, text]) => `${name}: ${oneLine(text)}`),
  ]
}

function render(trace: QueryTrace, withScores: boolean): string {
  const { trial, sources, evidence } = trace
  const about = traceLines({ ...trace, notes: notesOf(trace) })
  const lines = [trial, '', ...about.map((line) => `  ${line}`), '']
  if (sources.length === 0) lines.push('nothing was found')
  sources.forEach(({ chunk, score, mark, ranked }, index) => {
    const heading = oneLine(headingPath(chunk) || chunk.id)
    lines.push(
      `${index + 1}. ${heading}  (${oneLine(chunk.id)}, score ${score.toPrecision(4)})${mark === null ? '' : `  [${oneLine(mark)}]`}`,
    )
    if (withScores)
      for (const { step, rank, score, base, added } of ranked)
        lines.push(
          `   ${step.padEnd(24)}rank ${String(rank).padStart(4)}  ${score.toPrecision(4)}${added === undefined ? '' : ` (${base?.toPrecision(4)} and ${added.toPrecision(4)} added)`}`,
        )
    lines.push(`   ${oneLine(chunk.text)}`)
  })
  if (evidence.length > 0) lines.push('', `evidence: ${evidence.length} texts`)
  for (const { kind, text } of evidence.slice(0, 5)) lines.push(`   ${kind}: ${oneLine(text)}`)
  return lines.join('\n')
}

/** A letter for each trial, then each passage with its ranks. */
function askedTrialsText({ passages, trials }: AskedTrials, withScores: boolean): string {
  const letterOf = (at: number) => String.fromCharCode(65 + at)
  const lines = trials.flatMap((answer, at) => {
    const { trial, failed, milliseconds, tokens, hits } = answer
    const head = `${letterOf(at)}  ${trial}`
    if (failed !== null) return [head, `   failed: ${oneLine(failed)}`]
    return [
      head,
      `   ${milliseconds.toFixed(2)} ms, ${plural(hits.length, 'passage')}, ${quantity(tokens)} tokens`,
      ...traceLines(answer).map((line) => `   ${line}`),
    ]
  })
  const width = 9
  const cells = (texts: readonly string[]) => texts.map((text) => text.padEnd(width)).join('')
  lines.push(
    '',
    passages.length === 0 ? 'nothing was found' : cells(trials.map((_, at) => letterOf(at))).trimEnd(),
  )
  for (const [place, { id, title, text, words, tokens }] of passages.entries()) {
    const ranks = trials.map(({ hits }) => hits.findIndex(({ passage }) => passage === place))
    const shown = ranks.map((at, trial) =>
      at < 0 ? '–' : `${at + 1} ${changeOf(trials[trial].hits[at], at + 1)}`.trimEnd(),
    )
    lines.push(
      `${cells(shown)}${oneLine(title || id)}  (${oneLine(id)}, ${quantity(tokens)} tokens)`,
      `   words: ${words.length > 0 ? words.join(', ') : 'none'}`,
    )
    if (withScores)
      for (const [trial, at] of ranks.entries())
        for (const { step, rank, score } of trials[trial].hits[at]?.ranked ?? [])
          lines.push(
            `   ${letterOf(trial)} ${step.padEnd(24)}rank ${String(rank).padStart(4)}  ${score.toPrecision(4)}`,
          )
    lines.push(`   ${oneLine(text)}`)
  }
  return lines.join('\n')
}
