import { rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { UserError } from '../../errors.ts'
import { cacheFolder } from '../../hub/cache.ts'
import { processes } from '../../library/machine.ts'
import { NEW_FILE, requireOutputs, writeOutput } from '../../store/output.ts'
import { writeWhole } from '../../store/write.ts'
import { defineCommand, flag, text } from '../command.ts'
import type { Io } from '../io.ts'

export default defineCommand({
  name: 'init',
  summary: 'write a starter config, with a small dataset or for your own files',
  args: {
    folder: {
      value: 'DIR',
      output: true,
      summary: 'folder to write (default: the working folder)',
      optional: true,
    },
  },
  options: {
    from: text(
      'FOLDER',
      'folder of your documents (Markdown, HTML, PDF, Word, ...); also writes questions.jsonl: sentences of the documents, for each of which you write the question that it answers',
    ),
    demo: flag('write the quickstart (an invented world, six strategies) and run it; needs no network'),
    embedder: text(
      'MODEL',
      'embedding model of the config: a folder, `hf:owner/name` (downloaded now, size first) or `lsa` (default: a recommended model if it has been downloaded or you agree to it, else `lsa`)',
    ),
    model: text(
      'MODEL',
      'with --from: language model that writes these questions from your documents and checks each in a second call: `openai/gpt-5-mini` (or another provider), or a map as in `models` of a config',
    ),
  },
  examples: [
    'touchstone init --demo',
    'touchstone init my-experiment',
    'touchstone run my-experiment/touchstone.yaml',
    'touchstone init my-experiment --from my-notes',
    'touchstone init my-experiment --from my-notes --model openai/gpt-5-mini',
    'touchstone init my-experiment --embedder hf:Xenova/all-MiniLM-L6-v2',
  ],
  interrupted: 'completions are stored',
  async run({ args, options, io, signal }) {
    const folder = io.path(args.folder ?? '.')
    const isOwn = options.from !== undefined
    if (options.model !== undefined && !isOwn)
      throw new UserError('--model drafts questions about documents; name their folder with --from')
    if (options.demo) {
      if (options.from !== undefined || options.embedder !== undefined)
        throw new UserError(
          '--demo has documents and an embedder of its own; leave out --from and --embedder',
        )
      const { runDemo } = await import('../demo.ts')
      return runDemo(folder, options.json, io, signal)
    }
    const { files: written, said: read } = isOwn
      ? await fromFolder(folder, io, options.from)
      : { files: await starter(folder), said: [] }
    requireOutputs(Object.keys(written).map((file) => ({ path: join(folder, file), kind: NEW_FILE })))
    const { starterEmbedder } = await import('../starter-embedder.ts')
    const { withEmbedderLine } = await import('../starter.ts')
    const { 'touchstone.yaml': text, ...others } = written
    const { line, said } = await starterEmbedder(options.embedder, folder, Object.values(others), io)
    const { draftStarter, withDrafter } = await import('../starter-drafts.ts')
    const embedding = withEmbedderLine(text, line)
    const isDrafted = options.model !== undefined
    const files = {
      ...written,
      'touchstone.yaml': isDrafted ? withDrafter(embedding, options.model) : embedding,
    }
    for (const [file, text] of Object.entries(files)) writeOutput(join(folder, file), text, NEW_FILE)
    const config = io.shown(join(folder, 'touchstone.yaml'))
    const paths = Object.keys(files).map((file) => join(folder, file))
    const drafted = isDrafted ? await orRemove(paths, draftStarter(config, io, signal)) : null
    if (drafted) writeWhole(join(folder, 'questions.jsonl'), drafted.lines)
    const next = (file: string) => join(dirname(config), file)
    const commands = [
      `  touchstone check ${config}    is everything valid?`,
      `  touchstone run ${config}      which strategy wins?`,
      '',
    ]
    const steps = isOwn
      ? [
          ...(drafted
            ? []
            : [
                `Fill in ${next('questions.jsonl')}: each line quotes a sentence; write the question that it answers as "text",`,
                'in your own words. Lines without a question are left out; a verdict needs 15 questions. Then',
                '',
              ]),
          ...commands,
          'To ask trials in the browser, and add questions there:',
          `  touchstone view --ask ${config}`,
          ...(drafted
            ? []
            : [
                '',
                'To have questions drafted by rules (`init --model MODEL` has a language model draft them):',
                `  touchstone questions draft ${config} -o ${next('drafted.jsonl')}`,
              ]),
        ]
      : [
          ...commands,
          `Put your own documents into ${next('dataset/corpus.jsonl')}, and your questions and qrels next to it;`,
          'or begin with a folder of documents: touchstone init DIR --from FOLDER',
        ]
    const names = Object.keys(files)
    const choices = [said, ...(drafted ? [drafted.said] : [])]
    const wrote = `wrote ${names.length} files to ${io.shown(folder)}`
    io.result(
      { folder, files: names, notices: [...read, ...choices] },
      [...read, wrote, ...choices, '', ...steps].join('\n'),
    )
    return undefined
  },
})

/** Removes files that were written if a promise fails or the process ends first, so that the same command starts again. */
async function orRemove<T>(paths: readonly string[], promise: Promise<T>): Promise<T> {
  const forget = paths.map((path) => processes.removeAtExit(path))
  try {
    return await promise
  } catch (error) {
    for (const path of paths) rmSync(path, { force: true })
    throw error
  } finally {
    for (const keep of forget) keep()
  }
}

async function starter(folder: string) {
  const { starterFiles } = await import('../starter.ts')
  return starterFiles(folder)
}

async function fromFolder(folder: string, { path: pathOf, env, progress }: Io, from: string) {
  const path = pathOf(from)
  const stats = statSync(path, { throwIfNoEntry: false })
  if (!stats) throw new UserError('there is no such folder', from)
  if (!stats.isDirectory()) throw new UserError('is a file; name the folder of the documents', from)
  const { folderStarterFiles } = await import('../folder-starter.ts')
  return folderStarterFiles(folder, path, { cache: cacheFolder(env), progress })
}
