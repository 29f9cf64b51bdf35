import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { UserError } from '../../errors.ts'
import { RUN_FORMATS } from '../../runs/formats.ts'
import { FILE_KINDS, type FileKind, kindOfFile } from '../../runs/kind.ts'
import { formatNamed, readQrels, readRun } from '../../runs/read.ts'
import type { Notices } from '../../runs/types.ts'
import { defineCommand } from '../command.ts'

export const exportCommand = defineCommand({
  name: 'export',
  summary: 'a run or judgements in another format: TREC, BEIR, ranx JSON, CSV, Parquet, any to any',
  args: { path: { value: 'PATH', summary: 'a run, judgements, or a BEIR folder (its judgements)' } },
  options: {
    kind: {
      kind: 'text',
      value: 'KIND',
      choices: FILE_KINDS,
      summary: 'what the file holds, where its form does not say',
    },
    from: { kind: 'text', value: 'FORMAT', summary: 'the format it is in (default: what it looks like)' },
    to: { kind: 'text', value: 'FORMAT', summary: 'the format to write (default: by the ending of -o)' },
    out: { kind: 'text', short: 'o', value: 'FILE', summary: 'the file to write; gzip where it ends in .gz' },
    lenient: { kind: 'flag', summary: 'read what trec_eval would read, and count it' },
  },
  examples: [
    'touchstone export bm25.trec -o bm25.parquet',
    'touchstone export datasets/quickstart --to trec -o quickstart.qrels',
    'touchstone export run.json --kind run --to trec -o run.trec.gz',
  ],
  async run({ args, options, io }) {
    if (options.out === undefined) throw new UserError('name the file to write: -o FILE')
    const path = resolve(io.folder, args.path)
    const out = resolve(io.folder, options.out)
    if (!existsSync(path)) throw new UserError({ file: path, message: 'is not there' })
    const kind = (options.kind as FileKind | undefined) ?? kindOf(path)
    const to = options.to ?? formatOfPath(out)
    const tell = (notices: Notices) => {
      for (const [what, count] of Object.entries(notices)) io.err(`${path}: ${what}: ${count}`)
    }
    let queries: number
    if (kind === 'run') {
      const format = formatNamed(to, 'writeRun')
      const { value, notices } = await readRun(path, options, options.from)
      tell(notices)
      format.writeRun?.(out, value)
      queries = value.queries.size
    } else {
      const format = formatNamed(to, 'writeQrels')
      const { value, notices } = await readQrels(path, options, options.from)
      tell(notices)
      format.writeQrels?.(out, value)
      queries = value.qrels.size
    }
    if (options.json) io.json({ from: path, to: out, format: to, kind, queries })
    else io.out(`${out}: ${kind === 'run' ? 'rankings' : 'judgements'} of ${queries} queries`)
  },
})

function kindOf(path: string): FileKind {
  if (statSync(path).isDirectory()) return 'qrels'
  const kind = kindOfFile(path)
  if (kind) return kind
  throw new UserError({ file: path, message: 'may be a run or judgements; say --kind run or --kind qrels' })
}

function formatOfPath(out: string): string {
  const bare = out.replace(/\.gz$/i, '').toLowerCase()
  const found = RUN_FORMATS.find(({ extension }) => bare.endsWith(extension))
  if (found) return found.name
  throw new UserError(
    `what format is \`${out}\`? Say --to ${RUN_FORMATS.map(({ name }) => name).join(', --to ')}`,
  )
}
