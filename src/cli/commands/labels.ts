import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { labelsLines } from '../../dataset/labels-file.ts'
import { UserError } from '../../errors.ts'
import { suspectsCsv } from '../../labels/audit.ts'
import { labelRows, labelsCsv, newestOfPlaces, trecLines } from '../../labels/exchange.ts'
import {
  appendActions,
  type LabelsFolder,
  openLabels,
  POOL,
  REVIEW,
  requirePool,
} from '../../labels/folder.ts'
import { freezeLabels } from '../../labels/freeze.ts'
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
import { shownPath } from '../../text/printable.ts'
import type { Progress } from '../../types.ts'
import { defineCommand } from '../command.ts'
import type { Io } from '../io.ts'

const EXPORTS = ['labels', 'questions', 'trec', 'csv'] as const

/** Pools and exported labels are written anew; labels themselves never are. */
const ownBeginning = (name: string, beginning: string): Output['kind'] => ({
  name,
  isOwn: (text) => text.startsWith(beginning),
})
const POOL_FILE = ownBeginning('a pool of `touchstone labels pool`', '{"touchstone":"pool"')
const LABELS_FILE = ownBeginning('a file of `touchstone labels export --to labels`', '{"touchstone":"labels"')

export const labels = defineCommand({
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
    k: {
      kind: 'integer',
      short: 'k',
      value: 'K',
      min: 1,
      max: MOST_RANKS,
      default: 10,
      summary: 'pool and audit: first ranks of each finalist',
    },
    number: {
      kind: 'integer',
      short: 'n',
      value: 'N',
      min: 1,
      default: 50,
      summary: 'audit: most suspicious questions to label',
    },
    model: {
      kind: 'list',
      value: 'NAME',
      summary: 'judge: model of the config that labels; export: model whose labels count if people have none',
    },
    labelledOnly: { kind: 'flag', summary: 'judge: only passages that people have labelled' },
    as: { kind: 'text', value: 'NAME', summary: 'import: labeller, if the file names none' },
    to: { kind: 'text', value: 'FORMAT', choices: EXPORTS, summary: 'export: format' },
    relevant: {
      kind: 'integer',
      value: 'GRADE',
      min: 1,
      max: 3,
      default: RELEVANT,
      summary: 'lowest grade that counts as relevant',
    },
    out: { kind: 'text', short: 'o', value: 'FILE', output: true, summary: 'export: file to write' },
  },
  examples: [
    'touchstone labels review labels touchstone.yaml',
    'touchstone labels pool labels experiments/quickstart -k 10',
    'touchstone labels audit suspects experiments/quickstart -n 20',
    'touchstone labels export labels --to labels -o labelled.jsonl',
  ],
  interrupted: 'completions are stored',
  async run({ args, options, io, signal }) {
    const folder = resolve(io.folder, args.folder)
    const place = { folder: io.folder, env: io.env, err: io.err, progress: io.progress }
    const at = new Date(processes.now()).toISOString()
    const source = () => {
      if (args.source !== undefined) return args.source
      throw new UserError(
        `labels ${args.action}: name ${SOURCES[args.action] ?? 'a source'} behind the folder`,
      )
    }
    const tell = (value: object, text: string) => (options.json ? io.json(value) : io.out(text))
    switch (args.action) {
      case 'review': {
        const set = await reviewSet(place, source(), folder)
        makeFolder(folder)
        writeOutput(join(folder, REVIEW), reviewLines(set), NEW_FILE)
        return tell(
          { questions: set.items.length },
          `${plural(set.items.length, 'question')} to review; read them in the browser: touchstone view --labels ${args.folder}`,
        )
      }
      case 'pool':
        return tell(
          ...(await makePool(
            folder,
            resolve(io.folder, source()),
            { ...options, progress: io.progress },
            args.folder,
          )),
        )
      case 'audit':
        return tell(
          ...(await makeAudit(
            folder,
            resolve(io.folder, source()),
            { k: options.k, first: options.number, progress: io.progress },
            args.folder,
          )),
        )
      case 'status': {
        const status = labelsStatus(openLabels(folder), options.relevant)
        const { review, decision, labellers, agreement } = statusInWords(status)
        return tell(status, [...review, ...decision, ...labellers, ...agreement].join('\n'))
      }
      case 'judge': {
        const [model, ...others] = options.model
        if (model === undefined || others.length > 0) throw new UserError('labels judge: name one --model')
        const { labelledOnly } = options
        const judged = await judgeLabels(place, openLabels(folder), source(), {
          model,
          labelledOnly,
          signal,
          at,
        })
        const failed = judged.failed > 0 ? `; no grade for ${judged.failed}: ${judged.reason}` : ''
        return tell(judged, `${model} labelled ${plural(judged.labels, 'passage')}${failed}`)
      }
      case 'import': {
        const file = resolve(io.folder, source())
        const text = readText(file)
        const opened = openLabels(folder)
        const found = importLabels(requirePool(opened), text, {
          file,
          at,
          as: options.as,
          logs: opened.logs,
          format: importFormat(text),
        })
        for (const [labeller, acts] of found.acts) {
          const header = { touchstone: 'label log', format: 1, labeller, kind: 'person' } as const
          const known = opened.logs.find((log) => log.header.labeller === labeller)
          appendActions(folder, known?.header ?? header, acts)
        }
        const { labels: count, unknown, notices } = found
        for (const notice of notices) io.err(`${shownPath(io.folder, file)}: ${notice}`)
        const others = unknown > 0 ? `; ${unknown} are of passages outside the pool` : ''
        return tell(
          { labels: count, unknown, labellers: [...found.acts.keys()] },
          `${count} labels of ${[...found.acts.keys()].join(', ')}${others}`,
        )
      }
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

async function makePool(
  folder: string,
  experiment: string,
  options: { readonly k: number; readonly progress: Progress },
  shown: string,
): Promise<[object, string]> {
  const file = join(folder, POOL)
  requireOutputs([{ path: file, kind: POOL_FILE }])
  const now = await poolOf(experiment, { ...options, seed: 0 })
  const earlier = existsSync(file) ? parsePool(readFileSync(file, 'utf8'), file) : null
  if (earlier?.audit)
    throw new UserError({ file, message: 'holds an audit, whose labels correct gold; name another folder' })
  const pool = earlier ? withEarlier(now, earlier) : now
  makeFolder(folder)
  writeOutput(file, poolLines(pool), POOL_FILE)
  const passages = pool.queries.reduce((sum, one) => sum + one.passages.length, 0)
  const counts = { questions: pool.queries.length, passages, trials: pool.trials }
  return [
    counts,
    `${plural(passages, 'passage')} of ${plural(counts.questions, 'question')} from ${pool.trials.join(', ')}; label them in the browser: touchstone view --labels ${shown}`,
  ]
}

/** Suspects that the terminal shows. */
const SHOWN = 10

async function makeAudit(
  folder: string,
  experiment: string,
  options: { readonly k: number; readonly first: number; readonly progress: Progress },
  shown: string,
): Promise<[object, string]> {
  const [file, table] = [join(folder, POOL), join(folder, 'suspects.csv')]
  requireOutputs([
    { path: file, kind: NEW_FILE },
    { path: table, kind: NEW_FILE },
  ])
  const { pool, suspects, verdict } = await auditOf(experiment, options)
  makeFolder(folder)
  writeOutput(file, poolLines(pool), NEW_FILE)
  writeOutput(table, suspectsCsv(suspects), NEW_FILE)
  const first = suspects
    .slice(0, SHOWN)
    .map(({ query, question, score, gold, reasons }) =>
      [
        `${score.toFixed(2)}  ${query}: ${question}`,
        `      gold ${gold.chunk}`,
        ...reasons.map((reason) => `      ${reason}`),
      ].join('\n'),
    )
  const next = `${plural(suspects.length, 'question')} by suspicion: ${join(shown, 'suspects.csv')}; label the first ${pool.queries.length} in the browser: touchstone view --labels ${shown}`
  return [{ suspects, verdict }, [...first, verdict, next].join('\n')]
}

interface ExportOptions {
  readonly to: string | undefined
  readonly out: string | undefined
  readonly relevant: number
  readonly model: readonly string[]
  readonly source: string | undefined
  readonly json: boolean
}

async function exportLabels(
  opened: LabelsFolder,
  { to, out, relevant, model: models, source, json }: ExportOptions,
  io: Io,
): Promise<void> {
  if (to === undefined || out === undefined)
    throw new UserError('labels export: name --to FORMAT and -o FILE')
  const path = resolve(io.folder, out)
  const kind = to === 'labels' ? LABELS_FILE : NEW_FILE
  requireOutputs([{ path, kind }])
  const told = (value: object, text: string) => (json ? io.json(value) : io.out(text))
  if (to === 'questions') {
    const found = await acceptedQuestions({ folder: io.folder, env: io.env, err: io.err }, opened, source)
    if (found.lines === null) found.writeBeir(path)
    else writeOutput(path, found.lines, kind)
    const { accepted, rejected, unreviewed } = found.counts
    return told(
      found.counts,
      `${accepted} questions accepted, ${rejected} rejected, ${unreviewed} not reviewed: ${shownPath(io.folder, path)}`,
    )
  }
  const pool = requirePool(opened)
  if (to === 'labels' || to === 'trec') {
    const frozen = freezeLabels(opened, { relevant, models })
    const lines = newestOfPlaces(frozen.labels).map(({ query, document, chunk, grade }) => ({
      query,
      grade,
      id: pool.unit === 'document' ? document : chunk,
    }))
    writeOutput(path, to === 'labels' ? labelsLines(frozen) : trecLines(lines), kind)
    const { conflicts } = frozen.header
    const open = conflicts > 0 ? `; ${conflicts} passages without a label, since labellers disagree` : ''
    return told(
      { labels: frozen.labels.length, conflicts },
      `${frozen.labels.length} labels: ${shownPath(io.folder, path)}${open}`,
    )
  }
  const rows = labelRows(pool, opened.logs)
  writeOutput(path, labelsCsv(rows), kind)
  told({ labels: rows.length }, `${rows.length} labels: ${shownPath(io.folder, path)}`)
}
