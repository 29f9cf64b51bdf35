import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { labelsLines } from '../../dataset/labels-file.ts'
import { UserError } from '../../errors.ts'
import { type Suspect, suspectsCsv } from '../../labels/audit.ts'
import { labelRows, labelsCsv, newestOfPlaces, trecLines } from '../../labels/exchange.ts'
import {
  appendActions,
  type LabelsFolder,
  openLabels,
  POOL,
  REVIEW,
  requirePool,
} from '../../labels/folder.ts'
import { freezeLabels, noLabel } from '../../labels/freeze.ts'
import { importFormat, importLabels } from '../../labels/import.ts'
import { RELEVANT } from '../../labels/log.ts'
import { parsePool, poolLines, withEarlier } from '../../labels/pool.ts'
import { reviewLines } from '../../labels/review.ts'
import { labelsStatus, statusInWords } from '../../labels/status.ts'
import { judgeLabels } from '../../library/judge-labels.ts'
import { auditOf, MOST_RANKS, poolOf } from '../../library/label-pool.ts'
import { processes } from '../../library/machine.ts'
import { acceptedQuestions, reviewSet } from '../../library/review-set.ts'
import { plural } from '../../report/numbers.ts'
import { readText } from '../../store/input.ts'
import { NEW_FILE, type Output, requireOutputs, writeOutput } from '../../store/output.ts'
import { makeFolder } from '../../store/write.ts'
import { choice, defineCommand, flag, integer, list, output, text } from '../command.ts'
import type { Io } from '../io.ts'

const EXPORTS = ['labels', 'questions', 'trec', 'csv'] as const

/** Pools and exported labels are written anew; labels never are. */
const ownBeginning = (name: string, beginning: string): Output['kind'] => ({
  name,
  isOwn: (text) => text.startsWith(beginning),
})
const POOL_FILE = ownBeginning('a pool of `touchstone labels pool`', '{"touchstone":"pool"')
const LABELS_FILE = ownBeginning('a file of `touchstone labels export --to labels`', '{"touchstone":"labels"')

export default defineCommand({
  name: 'labels',
  summary: 'review drafted questions and label pooled passages: set up, agreement, import, export',
  args: {
    action: {
      value: 'ACTION',
      summary: 'what to do',
      choices: ['review', 'pool', 'audit', 'status', 'judge', 'import', 'export'],
    },
    folder: { value: 'LABELS', summary: 'folder of labels: one log per labeller, questions and passages' },
    source: {
      value: 'SOURCE',
      summary: 'review: config or dataset; pool and audit: experiment; judge: config; import: file',
      optional: true,
    },
  },
  options: {
    k: integer('K', 'pool and audit: first ranks of each finalist', {
      short: 'k',
      min: 1,
      max: MOST_RANKS,
      default: 10,
    }),
    number: integer('N', 'audit: most suspicious questions to label', { short: 'n', min: 1, default: 50 }),
    model: list(
      'NAME',
      'judge: model of the config that labels; export: model whose labels count if people have none',
    ),
    labelledOnly: flag('judge: only passages that people have labelled'),
    as: text('NAME', 'import: labeller, if the file names none'),
    to: choice('FORMAT', EXPORTS, 'export: format'),
    relevant: integer('GRADE', 'lowest grade that counts as relevant', { min: 1, max: 3, default: RELEVANT }),
    out: output('FILE', 'export: file to write'),
  },
  examples: [
    'touchstone labels review labels touchstone.yaml',
    'touchstone labels pool labels experiments/quickstart -k 10',
    'touchstone labels audit suspects experiments/quickstart -n 20',
    'touchstone labels export labels --to labels -o labelled.jsonl',
  ],
  interrupted: 'completions are stored',
  async run({ args, options, io, signal }) {
    const folder = io.path(args.folder)
    const at = new Date(processes.now()).toISOString()
    const source = () => {
      if (args.source !== undefined) return args.source
      throw new UserError(
        `labels ${args.action}: name ${SOURCES[args.action] ?? 'a source'} behind the folder`,
      )
    }
    const inBrowser = `in the browser: touchstone view --labels ${args.folder}`
    switch (args.action) {
      case 'review': {
        const set = await reviewSet(io, source(), folder)
        makeFolder(folder)
        writeOutput(join(folder, REVIEW), reviewLines(set), NEW_FILE)
        const questions = set.items.length
        return io.result({ questions }, `${plural(questions, 'question')} to review; read them ${inBrowser}`)
      }
      case 'pool': {
        const { questions, passages, trials } = await makePool(folder, io.path(source()), options.k, io)
        return io.result(
          { questions, passages, trials },
          `${plural(passages, 'passage')} of ${plural(questions, 'question')} from ${trials.join(', ')}; label them ${inBrowser}`,
        )
      }
      case 'audit': {
        const { k, number: first } = options
        const { suspects, findings, labelled } = await makeAudit(folder, io.path(source()), { k, first }, io)
        const file = join(args.folder, SUSPECTS)
        return io.result(
          { suspects, findings },
          [
            ...suspects.slice(0, SHOWN).map(suspectText),
            ...findings.map(({ text }) => text),
            `${plural(suspects.length, 'question')} by suspicion: ${file}; label the first ${labelled} ${inBrowser}`,
          ].join('\n'),
        )
      }
      case 'status': {
        const status = labelsStatus(openLabels(folder), options.relevant)
        const { review, decision, labellers, agreement } = statusInWords(status)
        return io.result(status, [...review, ...decision, ...labellers, ...agreement].join('\n'))
      }
      case 'judge': {
        const [model, ...others] = options.model
        if (model === undefined || others.length > 0) throw new UserError('labels judge: name one --model')
        const { labelledOnly } = options
        const judging = { model, labelledOnly, signal, at }
        const judged = await judgeLabels(io, openLabels(folder), source(), judging)
        const failed = judged.failed > 0 ? `; no grade for ${judged.failed}: ${judged.reason}` : ''
        return io.result(judged, `${model} labelled ${plural(judged.labels, 'passage')}${failed}`)
      }
      case 'import':
        return importFile(io.path(source()), openLabels(folder), { at, as: options.as }, io)
      case 'export':
        return exportLabels(openLabels(folder), { ...options, source: args.source }, io)
    }
  },
})

const SOURCES: Readonly<Record<string, string>> = {
  review: 'a config or dataset',
  pool: 'an experiment',
  audit: 'an experiment',
  judge: 'a config',
  import: 'a file',
}

async function makePool(folder: string, experiment: string, k: number, { progress }: Io) {
  const file = join(folder, POOL)
  requireOutputs([{ path: file, kind: POOL_FILE }])
  const now = await poolOf(experiment, { k, seed: 0, progress })
  const earlier = existsSync(file) ? parsePool(readFileSync(file, 'utf8'), file) : null
  if (earlier?.audit)
    throw new UserError('holds an audit, whose labels correct gold; name another folder', file)
  const pool = earlier ? withEarlier(now, earlier) : now
  makeFolder(folder)
  writeOutput(file, poolLines(pool), POOL_FILE)
  const passages = pool.queries.reduce((sum, query) => sum + query.passages.length, 0)
  return { questions: pool.queries.length, passages, trials: pool.trials }
}

const SUSPECTS = 'suspects.csv'
/** Suspects that the terminal shows. */
const SHOWN = 10

async function makeAudit(
  folder: string,
  experiment: string,
  options: { readonly k: number; readonly first: number },
  { progress }: Io,
) {
  const [file, table] = [join(folder, POOL), join(folder, SUSPECTS)]
  requireOutputs([file, table].map((path) => ({ path, kind: NEW_FILE })))
  const { pool, suspects, findings } = await auditOf(experiment, { ...options, progress })
  makeFolder(folder)
  writeOutput(file, poolLines(pool), NEW_FILE)
  writeOutput(table, suspectsCsv(suspects), NEW_FILE)
  return { suspects, findings, labelled: pool.queries.length }
}

function suspectText({ query, question, score, gold, reasons }: Suspect): string {
  const lines = [`gold ${gold.chunk}`, ...reasons].map((line) => `\n      ${line}`)
  return `${score.toFixed(2)}  ${query}: ${question}${lines.join('')}`
}

function importFile(
  file: string,
  opened: LabelsFolder,
  options: { readonly at: string; readonly as: string | undefined },
  io: Io,
): void {
  const { folder, logs } = opened
  const text = readText(file)
  const format = importFormat(text)
  const imported = importLabels(requirePool(opened), text, { file, ...options, logs, format })
  for (const [labeller, acts] of imported.acts) {
    const header = { touchstone: 'label log', format: 1, labeller, kind: 'person' } as const
    const earlierLog = logs.find((log) => log.header.labeller === labeller)
    appendActions(folder, earlierLog?.header ?? header, acts)
  }
  const { labels, unknown, notices } = imported
  for (const notice of notices) io.err(`${io.shown(file)}: ${notice}`)
  const labellers = [...imported.acts.keys()]
  const others = unknown > 0 ? `; ${unknown} are of passages outside the pool` : ''
  io.result({ labels, unknown, labellers }, `${labels} labels of ${labellers.join(', ')}${others}`)
}

interface ExportOptions {
  readonly to?: (typeof EXPORTS)[number] | undefined
  readonly out?: string | undefined
  readonly relevant: number
  readonly model: readonly string[]
  readonly source: string | undefined
}

async function exportLabels(
  opened: LabelsFolder,
  { to, out, relevant, model: models, source }: ExportOptions,
  io: Io,
): Promise<void> {
  if (to === undefined || out === undefined)
    throw new UserError('labels export: name --to FORMAT and -o FILE')
  const path = io.path(out)
  const shown = io.shown(path)
  const kind = to === 'labels' ? LABELS_FILE : NEW_FILE
  requireOutputs([{ path, kind }])
  if (to === 'questions') {
    const { lines, writeBeir, counts } = await acceptedQuestions(io, opened, source)
    if (lines === null) writeBeir(path)
    else writeOutput(path, lines, kind)
    const { accepted, rejected, unreviewed } = counts
    const text = `${accepted} questions accepted, ${rejected} rejected, ${unreviewed} not reviewed: ${shown}`
    return io.result(counts, text)
  }
  const pool = requirePool(opened)
  if (to === 'csv') {
    const rows = labelRows(pool, opened.logs)
    if (rows.length === 0) throw noLabel(opened.folder)
    writeOutput(path, labelsCsv(rows), kind)
    return io.result({ labels: rows.length }, `${rows.length} labels: ${shown}`)
  }
  const frozen = freezeLabels(opened, { relevant, models })
  const lines = newestOfPlaces(frozen.labels).map(({ query, document, chunk, grade }) => ({
    query,
    grade,
    id: pool.unit === 'document' ? document : chunk,
  }))
  writeOutput(path, to === 'labels' ? labelsLines(frozen) : trecLines(lines), kind)
  const labels = frozen.labels.length
  const { conflicts } = frozen.header
  const open = conflicts > 0 ? `; ${conflicts} passages without a label, since labellers disagree` : ''
  io.result({ labels, conflicts }, `${labels} labels: ${shown}${open}`)
}
