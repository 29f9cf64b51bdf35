import { existsSync } from 'node:fs'
import { relative, resolve, sep } from 'node:path'
import { UserError } from '../errors.ts'
import { MULTILINGUAL, RECOMMENDED, type RecommendedModel } from '../hub/models.ts'
import { hubNameOf } from '../hub/names.ts'
import { openHub } from '../hub/open.ts'
import { transformersEmbedder } from '../models/embedders/transformers.ts'
import { recognise } from '../text/recognise.ts'
import type { Io } from './io.ts'

/** Embedder of a starter config. */
interface StarterEmbedder {
  /** Line of `prepare`, without its indentation. */
  readonly line: string
  /** Text for the user: the reason of the choice. */
  readonly said: string
}

/**
 * Chooses the embedder of a starter config: the one that `--embedder` names (a folder, `hf:owner/name` or `lsa`), else
 * a recommended one that has been downloaded, else one that the user wants downloaded, else `lsa`. Nothing is downloaded
 * without a word of the user.
 */
export async function starterEmbedder(
  given: string | undefined,
  folder: string,
  sample: readonly string[],
  io: Io,
): Promise<StarterEmbedder> {
  if (given !== undefined) return given === 'lsa' ? LSA : named(given, folder, io)
  const languages = Object.values(recognise(sample).languages)
  const isEnglish = languages.length > 0 && languages.every((language) => language === 'english')
  const fitting = isEnglish ? [...RECOMMENDED, MULTILINGUAL] : [MULTILINGUAL]
  const hub = openHub({ ...io, notice: io.err })
  for (const model of fitting)
    if (hub.cachedModel({ repo: model.repo, revision: 'main' }, ['q8']) !== undefined)
      return downloaded(
        model.repo,
        io,
        `embedder: ${model.repo} (${model.language}), which has been downloaded before`,
      )
  const [wanted] = fitting
  if (io.confirm && (await io.confirm(questionOf(wanted, hub.endpoint)))) {
    try {
      return await downloaded(wanted.repo, io, `embedder: ${wanted.repo} (${wanted.language})`)
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      io.err(error.message)
    }
  }
  return {
    ...LSA,
    said: `embedder: \`lsa\`, a stand-in that knows only the words of the corpus. For a trained model (${wanted.language}, about ${wanted.megabytes} MB)\ninit with --embedder hf:${wanted.repo}, or with --embedder FOLDER for one that you have.`,
  }
}

const LSA: StarterEmbedder = {
  line: 'embedder: lsa # a stand-in, fitted on the corpus itself: no download; or hf:owner/name, or {transformers: {model: ./folder}}',
  said: 'embedder: `lsa`, a stand-in that knows only the words of the corpus',
}

function questionOf({ repo, language, megabytes }: RecommendedModel, endpoint: string): string {
  return `Download the embedding model ${repo} (${language}, about ${megabytes} MB) from ${endpoint}? Otherwise the config uses \`lsa\`, a stand-in.`
}

async function named(given: string, folder: string, io: Io): Promise<StarterEmbedder> {
  const path = resolve(io.folder, given)
  if (!existsSync(path)) {
    if (/^[./~]|\\/.test(given) || !given.includes('/'))
      throw new UserError(
        `--embedder ${given}: there is no such folder; name one with a model in ONNX, \`hf:owner/name\` or \`lsa\``,
      )
    const { repo, revision } = hubNameOf(given)
    return downloaded(`${repo}@${revision}`, io, `embedder: hf:${repo}`)
  }
  // Refuses a folder that holds no model, with what it lacks.
  transformersEmbedder.pin?.(transformersEmbedder.params.parse({ model: path }))
  const from = relative(folder, path).split(sep).join('/') || '.'
  const model = from.startsWith('..') ? from : `./${from}`
  return {
    line: `embedder: { transformers: { model: ${JSON.stringify(model)} } } # relative to this file`,
    said: `embedder: the model in ${given}`,
  }
}

/** Downloads a model unless it is there, and pins its commit. */
async function downloaded(name: string, io: Io, said: string): Promise<StarterEmbedder> {
  const { repo, revision } = hubNameOf(name)
  const { sources } = await openHub({ ...io, notice: io.err }).model({ repo, revision }, ['q8'])
  return {
    line: `embedder: hf:${repo}@${sources[0].commit} # downloaded once; other languages and sizes: docs/embedders.md`,
    said,
  }
}
