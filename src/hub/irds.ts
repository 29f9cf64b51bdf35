import { UserError } from '../errors.ts'
import { didYouMean } from '../text/nearest.ts'

/** Dataset of the hub that holds the same documents, queries and labels as one of ir_datasets. */
export type Equal =
  | { readonly kind: 'beir'; readonly name: string; readonly split?: string }
  | { readonly kind: 'hub'; readonly repo: string; readonly revision: string }

/** Datasets of ir_datasets outside `beir/` that BEIR took over with their ids, and the split that they became. */
const TAKEN: Readonly<Record<string, readonly [name: string, split: string]>> = {
  'msmarco-passage/train/judged': ['msmarco', 'train'],
  'msmarco-passage/dev/small': ['msmarco', 'dev'],
  'msmarco-passage/trec-dl-2019/judged': ['msmarco', 'test'],
}

/** Repositories of NanoBEIR by their names in ir_datasets. */
const NANO: Readonly<Record<string, string>> = {
  arguana: 'NanoArguAna',
  'climate-fever': 'NanoClimateFEVER',
  'dbpedia-entity': 'NanoDBPedia',
  fever: 'NanoFEVER',
  fiqa: 'NanoFiQA2018',
  hotpotqa: 'NanoHotpotQA',
  msmarco: 'NanoMSMARCO',
  nfcorpus: 'NanoNFCorpus',
  nq: 'NanoNQ',
  quora: 'NanoQuoraRetrieval',
  scidocs: 'NanoSCIDOCS',
  scifact: 'NanoSciFact',
  'webis-touche2020': 'NanoTouche2020',
}

const FORUMS: readonly string[] = [
  ...['android', 'english', 'gaming', 'gis', 'mathematica', 'physics', 'programmers', 'stats', 'tex'],
  ...['unix', 'webmasters', 'wordpress'],
]

const SPLITS: readonly string[] = ['train', 'dev', 'test']

/** Reads a name of ir_datasets. Throws a UserError with the steps by hand if the hub does not hold the same data. */
export function irdsNameOf(name: string, beir: readonly string[]): Equal {
  const [family, set = '', part, ...more] = name.split('/')
  const taken = Object.hasOwn(TAKEN, name) ? TAKEN[name] : undefined
  if (taken) return { kind: 'beir', name: taken[0], split: taken[1] }
  if (family === 'nano-beir' && part === undefined && Object.hasOwn(NANO, set))
    return { kind: 'hub', repo: `zeta-alpha-ai/${NANO[set]}`, revision: 'main' }
  if (family === 'beir' && set === 'cqadupstack' && FORUMS.includes(part ?? '') && more.length === 0)
    return { kind: 'hub', repo: `mteb/cqadupstack-${part}`, revision: 'main' }
  // The hub has the second version of this one's labels.
  const isSecond = set === 'webis-touche2020' && part === 'v2'
  if (
    family === 'beir' &&
    beir.includes(set) &&
    more.length === 0 &&
    (isSecond || set !== 'webis-touche2020')
  ) {
    if (part === undefined || isSecond) return { kind: 'beir', name: set }
    if (SPLITS.includes(part)) return { kind: 'beir', name: set, split: part }
  }
  throw new UserError(exportAdvice(name, beir))
}

/** Steps for a dataset that ir_datasets' own package downloads, and asks for agreements where there are any. */
function exportAdvice(name: string, beir: readonly string[]): string {
  const isName = /^[A-Za-z0-9][A-Za-z0-9._-]*(?:\/[A-Za-z0-9._-]+)*$/.test(name)
  if (!isName) return `\`irds:${name}\` is no name of ir_datasets, as \`irds:msmarco-passage/dev/small\``
  const line = (part: string, file: string, format = '') =>
    `\n  ir_datasets export ${name} ${part}${format} > FOLDER/${file}`
  return `\`irds:${name}\` is not downloaded, because the hub holds no equal data that Touchstone knows${relatives(name, beir)}. The package ir_datasets knows its sources and agreements. Export it, then write the folder's path as \`dataset\`:\n  pip install ir_datasets${line('docs', 'docs.jsonl', ' --format jsonl')}${line('queries', 'queries.jsonl', ' --format jsonl')}${line('qrels', 'qrels.txt')}`
}

/** Names that are downloaded and that somebody who wrote `name` may mean. */
function relatives(name: string, beir: readonly string[]): string {
  const own = Object.keys(TAKEN)
  const [family, set = ''] = name.split('/')
  if (family === 'beir' && set === 'webis-touche2020') return '; it has `irds:beir/webis-touche2020/v2`'
  if (family === 'beir' && set === 'cqadupstack')
    return `; it has ${FORUMS.map((forum) => `\`irds:beir/cqadupstack/${forum}\``).join(', ')}`
  if (beir.includes(family)) return `; it has \`irds:beir/${family}\``
  const near = own.filter((one) => one.split('/')[0] === family)
  if (near.length > 0) return `; it has ${near.map((one) => `\`irds:${one}\``).join(', ')}`
  return didYouMean(name, [...own, ...beir.map((one) => `beir/${one}`)])
}
