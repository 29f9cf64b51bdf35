import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { relative, sep } from 'node:path'
import { UserError } from '../errors.ts'
import { cacheFolder } from '../hub/cache.ts'
import { hubNameOf } from '../hub/names.ts'
import { openHub } from '../hub/open.ts'
import transformersEmbedder from '../models/embedders/transformers.ts'
import {
  hasTransformers,
  installArguments,
  PACKAGE,
  requirePackage,
} from '../models/transformers/local-params.ts'
import { recognise } from '../text/recognise.ts'
import type { Io } from './io.ts'

interface RecommendedModel {
  readonly repo: string
  readonly language: string
  readonly licence: string
  /** Int8 weights and tokenizer, about. */
  readonly megabytes: number
}

/** With measured results (docs/models.md), the best first. */
const RECOMMENDED: readonly RecommendedModel[] = [
  { repo: 'Xenova/bge-small-en-v1.5', language: 'English', licence: 'MIT', megabytes: 35 },
  { repo: 'Xenova/all-MiniLM-L6-v2', language: 'English', licence: 'Apache-2.0', megabytes: 24 },
]

const MULTILINGUAL: RecommendedModel = {
  repo: 'Xenova/multilingual-e5-small',
  language: 'about 100 languages',
  licence: 'MIT',
  megabytes: 135,
}

interface StarterEmbedder {
  /** Line of `prepare`, without its indentation. */
  readonly line: string
  /** Text for the user: the reason of the choice. */
  readonly said: string
}

/**
 * Embedder that `--embedder` names (a folder, `hf:owner/name` or `lsa`), else a recommended one that has been
 * downloaded or that the user wants downloaded, else `lsa`.
 */
export async function starterEmbedder(
  option: string | undefined,
  folder: string,
  sample: readonly string[],
  io: Io,
): Promise<StarterEmbedder> {
  if (option !== undefined) return option === 'lsa' ? LSA : named(option, folder, io)
  const languages = Object.values(recognise(sample).languages)
  const isEnglish = languages.length > 0 && languages.every((language) => language === 'english')
  const fitting = isEnglish ? [...RECOMMENDED, MULTILINGUAL] : [MULTILINGUAL]
  const offline = { ...io, env: { ...io.env, HF_HUB_OFFLINE: '1' } }
  for (const { repo, language } of hasTransformers() ? fitting : []) {
    const said = `embedder: ${repo} (${language}), which has been downloaded before`
    const embedder = await downloaded(repo, offline, said).catch(() => undefined)
    if (embedder) return embedder
  }
  const [wanted] = fitting
  const { endpoint } = openHub({ ...io, notice: io.err })
  if (io.confirm && (await io.confirm(questionOf(wanted, endpoint, cacheFolder(io.env))))) {
    try {
      await requireInstalled(io)
      return await downloaded(wanted.repo, io, `embedder: ${wanted.repo} (${wanted.language})`)
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      io.err(error.message)
    }
  }
  return {
    ...LSA,
    said: `embedder: \`lsa\`, a stand-in that knows only the words of the corpus. For a trained model (${wanted.language}, licence ${wanted.licence}, about ${wanted.megabytes} MB)\ninit with --embedder hf:${wanted.repo}, or with --embedder FOLDER for one that you have.`,
  }
}

const LSA: StarterEmbedder = {
  line: 'embedder: lsa # a stand-in, fitted on the corpus itself: no download; or hf:owner/name, or {transformers: {model: ./folder}}',
  said: 'embedder: `lsa`, a stand-in that knows only the words of the corpus',
}

/** Throws a UserError with the command if the package stays missing. */
async function requireInstalled({ confirm }: Io): Promise<void> {
  const question = `A local model needs ${PACKAGE} (about 480 MB installed). Install it with npm now?`
  if (!hasTransformers() && confirm && (await confirm(question)))
    spawnSync('npm', installArguments(), { stdio: 'inherit', shell: process.platform === 'win32' })
  requirePackage()
}

function questionOf(
  { repo, language, licence, megabytes }: RecommendedModel,
  endpoint: string,
  cache: string,
) {
  return `Download the embedding model ${repo} (${language}, licence ${licence}, about ${megabytes} MB) from ${endpoint} to ${cache}? Otherwise the config uses \`lsa\`, a stand-in.`
}

async function named(embedder: string, folder: string, io: Io): Promise<StarterEmbedder> {
  const path = io.path(embedder)
  if (!existsSync(path)) {
    if (/^[./~]|\\/.test(embedder) || !embedder.includes('/'))
      throw new UserError(
        `--embedder ${embedder}: there is no such folder; name one with a model in ONNX, \`hf:owner/name\` or \`lsa\``,
      )
    const { repo, revision } = hubNameOf(embedder)
    await requireInstalled(io)
    return downloaded(`${repo}@${revision}`, io, `embedder: hf:${repo}`)
  }
  await requireInstalled(io)
  // Refuses a folder without a model.
  transformersEmbedder.pin?.(transformersEmbedder.params.parse({ model: path }))
  const from = relative(folder, path).split(sep).join('/') || '.'
  const model = from.startsWith('..') ? from : `./${from}`
  return {
    line: `embedder: { transformers: { model: ${JSON.stringify(model)} } } # relative to this file`,
    said: `embedder: the model in ${embedder}`,
  }
}

/** Pins the commit. */
async function downloaded(name: string, io: Io, said: string): Promise<StarterEmbedder> {
  const { repo, revision } = hubNameOf(name)
  const { sources } = await openHub({ ...io, notice: io.err }).model({ repo, revision }, ['q8'])
  return {
    line: `embedder: hf:${repo}@${sources[0].commit} # downloaded once; other languages and sizes: docs/models.md`,
    said,
  }
}
