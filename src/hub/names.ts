import { UserError } from '../errors.ts'
import { didYouMean } from '../text/nearest.ts'

/** Repository of a hub at a revision; `config` is one of the configurations of a dataset, mostly a folder. */
export interface HubName {
  readonly repo: string
  readonly revision: string
  readonly config?: string
}

export type DatasetName =
  | ({ readonly kind: 'hub' } & HubName)
  | { readonly kind: 'beir'; readonly name: string }

/** Datasets of BEIR (Thakur et al., NeurIPS 2021) that its authors publish on the hub. */
const BEIR =
  'arguana climate-fever dbpedia-entity fever fiqa hotpotqa msmarco nfcorpus nq quora scidocs scifact trec-covid webis-touche2020'.split(
    ' ',
  )

const PART = '[A-Za-z0-9](?:[A-Za-z0-9._-]{0,94}[A-Za-z0-9_-])?'
const HUB = new RegExp(
  `^(?:hf:)?(${PART}/${PART})(?:@([A-Za-z0-9][A-Za-z0-9._/-]{0,199}))?(?:#([A-Za-z0-9][A-Za-z0-9._-]{0,99}))?$`,
)

/** True for a name of a dataset or model that is downloaded; a path that exists is a path all the same. */
export function isRemote(text: string): boolean {
  return text.startsWith('hf:') || /^beir\/[^/\\]*$/.test(text)
}

/** Reads `hf:owner/name@revision#config` or `beir/scifact`. Throws a UserError for other names. */
export function datasetNameOf(text: string): DatasetName {
  if (text.startsWith('hf:')) return { kind: 'hub', ...hubNameOf(text) }
  const name = text.slice('beir/'.length)
  if (BEIR.includes(name)) return { kind: 'beir', name }
  throw new UserError(
    `BEIR has no dataset \`${name}\` on the hub${didYouMean(name, BEIR)}; there are ${BEIR.join(', ')}`,
  )
}

/** Reads `hf:owner/name@revision#config`, also without `hf:`. Throws a UserError for other names. */
export function hubNameOf(text: string): HubName {
  const [, repo, revision = 'main', config] = HUB.exec(text) ?? []
  if (repo === undefined || /\.\.|--|\/\.|\/$|\/\//.test(`${repo}@${revision}`))
    throw new UserError(
      `\`${text}\` is no name on the hub; it is \`hf:owner/name\`, with \`@revision\` after it for another revision than main, and \`#config\` at the end for one configuration of a dataset`,
    )
  return { repo, revision, ...(config !== undefined && { config }) }
}
