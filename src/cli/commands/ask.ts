import { resolve } from 'node:path'
import { performance } from 'node:perf_hooks'
import type { Trial } from '../../config/experiment.ts'
import { UserError } from '../../errors.ts'
import {
  type AnswerEvent,
  type AnswerToQuestion,
  answerOne,
  findAnswerer,
} from '../../experiment/answer-one.ts'
import { askTrial, type QueryTrace, requireQuestion, weakMatch } from '../../experiment/ask.ts'
import { openOne } from '../../experiment/plan/open.ts'
import { prepareAll } from '../../experiment/plan/prepare.ts'
import { dollarText } from '../../experiment/plan/spending.ts'
import { logQuery, requireLogs } from '../../experiment/query-log.ts'
import { openAskTrials } from '../../library/ask-trials.ts'
import { findTrial, openConfig } from '../../library/open-config.ts'
import { oneLine } from '../../report/terminal.ts'
import { headingPath } from '../../text/headings.ts'
import { askedTrialsText } from '../asked-text.ts'
import { defineCommand } from '../command.ts'
import { configFile } from '../config-file.ts'
import type { Io } from '../io.ts'
import { SET, STORE } from '../options.ts'

export const ask = defineCommand({
  name: 'ask',
  summary: 'ask one trial a question, or compare the rankings of two or three; shows sources and timings',
  args: {
    config: { value: 'CONFIG', summary: 'YAML file' },
    question: { value: 'QUESTION', summary: 'question, in quotes' },
  },
  options: {
    set: SET,
    store: STORE,
    trial: {
      kind: 'list',
      short: 't',
      value: 'NAME',
      summary:
        'trial by name, short name or strategy (default: the first); if given two or three times, the rankings side by side',
    },
    depth: {
      kind: 'integer',
      value: 'N',
      min: 1,
      max: 1000,
      default: 5,
      summary: 'number of sources to show',
    },
    scores: {
      kind: 'flag',
      summary:
        'show rank and score of each source after every ranking step, with the part that a boost added',
    },
    documents: { kind: 'flag', summary: 'show only the best source of each document' },
    route: {
      kind: 'flag',
      summary: 'only show which arm the router of the trial chooses, and by which rule',
    },
    metadata: {
      kind: 'list',
      value: 'NAME=VALUE',
      summary: 'metadata of the question, which a filter reads, such as lang=en; may be repeated',
    },
    answer: {
      kind: 'text',
      short: 'a',
      value: 'NAME',
      summary: 'write an answer with this answerer of `answer`, shown while it is written',
    },
    log: {
      kind: 'text',
      value: 'FOLDER',
      output: true,
      summary: 'append this question to the three JSONL logs in this folder',
    },
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
    if (options.log !== undefined) requireLogs(resolve(io.folder, options.log))
    const open = await openConfig(io, configFile(io.folder, args.config), options)
    const trials = options.trial.map((name) => findTrial(name, open.trials))
    if (trials.length > 1) {
      refuseOptions(options)
      const ask = openAskTrials(open, io.progress)
      const asked = await ask(trials, args.question, { depth: options.depth, metadata })
      if (asked.trials.every(({ failed }) => failed !== null))
        throw new UserError(asked.trials.map(({ failed }) => ({ message: String(failed) })))
      return options.json ? io.json(asked) : io.out(askedTrialsText(asked, options.scores))
    }
    const [trial] = trials.length > 0 ? trials : open.trials
    if (options.route) {
      const routed = await routeOf(trial, args.question)
      return options.json ? io.json(routed) : io.out(`${routed.arm}\n  ${routed.rule}: ${routed.because}`)
    }
    await prepareAll(openOne(open, trial), io.progress)
    const way = options.answer === undefined ? null : findAnswerer(open.experiment.answering, options.answer)
    const clock = () => performance.now()
    const given = { byDocument: options.documents, metadata }
    const found = await askTrial(open, trial, args.question, options.depth, clock, given)
    const retrieval = found.asked.milliseconds
    if (!options.json) io.out(`${render(found.asked, options.scores)}${way ? '\n\n' : ''}`)
    const onEvent = options.json ? undefined : showText(io)
    const answer =
      way && (await answerOne(open, trial, way, args.question, found, { clock, signal, onEvent }))
    if (options.json) io.json(answer ? { ...found.asked, answer } : found.asked)
    else if (answer) io.out(`\n\n${renderAnswer(answer)}`)
    if (options.log === undefined) return
    const chunks = found.asked.sources.map(({ chunk }) => chunk)
    const logged = { trial: trial.name, question: args.question, metadata, chunks, retrieval, answer }
    logQuery(resolve(io.folder, options.log), logged, open.dataset, new Date())
  },
})

/** Throws a UserError for options that need a single trial. */
function refuseOptions(options: Readonly<Record<string, unknown>>): void {
  for (const name of ['answer', 'documents', 'log', 'route'])
    if (options[name]) throw new UserError(`--${name} takes one trial; name one by --trial`)
}

/** Arm that a router's rules choose. Throws a UserError for a trial without rules. */
async function routeOf({ name, strategy, params: { rules } }: Trial, question: string) {
  const { readRules, routeByRules } = await import('../../retrieve/router/rules.ts')
  if (strategy !== 'router' || typeof rules !== 'string' || rules === 'fitted')
    throw new UserError(`--route: the trial \`${name}\` is no router by rules; name one by --trial`)
  return routeByRules(question, readRules(rules))
}

/** Metadata given as `NAME=VALUE`: a list of texts by name. Throws a UserError for any other form. */
function metadataOf(given: readonly string[]): Readonly<Record<string, readonly string[]>> {
  const pairs = given.map((text): [string, string] => {
    const equals = text.indexOf('=')
    if (equals < 1)
      throw new UserError({
        file: `--metadata ${text}`,
        message: 'is not of the form NAME=VALUE, as --metadata lang=en',
      })
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

/** Prints the text of an answer while it grows; a text that starts again gets a line of its own. */
function showText(io: Pick<Io, 'part'>): (event: AnswerEvent) => void {
  let shown = ''
  return (event) => {
    if (event.event !== 'text') return
    const { text, anew } = event
    io.part(anew ? `\n(${ANEW[anew]})\n${text}` : text.slice(shown.length))
    shown = text
  }
}

/** Sources, usage and warnings of an answer, shown below its text. */
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

function render(
  { trial, steps, sources, evidence, nearest, counters, arm, fallbacks, notes }: QueryTrace,
  withScores: boolean,
): string {
  const lines = [`${trial}`, '']
  for (const { step, milliseconds } of steps)
    lines.push(`  ${step.padEnd(24)}${milliseconds.toFixed(2).padStart(10)} ms`)
  for (const [name, amount] of Object.entries(counters))
    lines.push(`  ${name.padEnd(24)}${String(amount).padStart(10)}`)
  for (const [name, note] of Object.entries(notes)) lines.push(`  ${name}: ${oneLine(note)}`)
  if (arm !== null) lines.push(`  arm: ${oneLine(arm)}`)
  for (const reason of fallbacks) lines.push(`  fell back: ${oneLine(reason)}`)
  const weak = weakMatch(nearest)
  if (weak !== null) lines.push(`  ${weak}`)
  lines.push('')
  if (sources.length === 0) lines.push('nothing was found')
  sources.forEach(({ chunk, score, mark, ranked }, index) => {
    const heading = oneLine(headingPath(chunk) || chunk.id)
    lines.push(
      `${index + 1}. ${heading}  (${oneLine(chunk.id)}, score ${score.toPrecision(4)})${mark === null ? '' : `  [${oneLine(mark)}]`}`,
    )
    if (withScores)
      for (const { step, rank, score: own, base, added } of ranked)
        lines.push(
          `   ${step.padEnd(24)}rank ${String(rank).padStart(4)}  ${own.toPrecision(4)}${added === undefined ? '' : ` (${base?.toPrecision(4)} and ${added.toPrecision(4)} added)`}`,
        )
    lines.push(`   ${oneLine(chunk.text)}`)
  })
  if (evidence.length > 0) lines.push('', `evidence: ${evidence.length} texts`)
  for (const { kind, text } of evidence.slice(0, 5)) lines.push(`   ${kind}: ${oneLine(text)}`)
  return lines.join('\n')
}
