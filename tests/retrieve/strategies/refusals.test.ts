import { expect, test } from 'vitest'
import { find } from '../../../src/registry.ts'
import { strategies } from '../../../src/retrieve/strategies/index.ts'

await strategies.load()

const NO_MODEL = ['prompt: is for a `model`, and none is named', 'seed: is for a `model`, and none is named']
const built = (param: string, engine: string) =>
  `${param}: is of the built-in search; with \`${engine}\` the engine has its own text analysis`

test.each<[string, Record<string, unknown>, readonly string[]]>([
  ['graphrag-local', { reportShare: 0.5 }, []],
  ['graphrag-local', { names: 'x' }, ['names: are linked with `link: names` only']],
  ['graphrag-local', { names: 'x', link: 'names' }, []],
  ['graphrag-local', { link: 'names' }, []],
  ['drift', { rounds: 2 }, ['rounds: is for a `model`']],
  ['drift', { followUpPrompt: 'x' }, ['followUpPrompt: is for a `model`']],
  ['drift', { rounds: 2, followUpPrompt: 'x', model: 'm', prompt: 'x', seed: 1 }, []],
  ['drift', { prompt: 'x', seed: 1 }, NO_MODEL],
  ['hipporag', { names: 'x' }, ['names: are linked with `variant: v1` only']],
  ['hipporag', { names: 'x', variant: 'v1' }, []],
  ['hipporag', { model: 'm' }, []],
  ['hipporag', { model: 'm', variant: 'v1' }, ['model: keeps facts with `variant: v2` only']],
  ['hipporag', { prompt: 'x', seed: 1 }, NO_MODEL],
  ['lightrag', { model: 'm' }, []],
  ['lightrag', { model: 'm', variant: 'simple' }, ['model: finds keywords with `variant: lightrag` only']],
  ['lightrag', { prompt: 'x', seed: 1 }, NO_MODEL],
  ['lazy-graphrag', { prompt: 'x', seed: 1 }, NO_MODEL],
  ['lazy-graphrag', { model: 'm', prompt: 'x', seed: 1 }, []],
  ['graphrag-global', { prompt: 'x', seed: 1 }, ['prompt: is for a `model`, and none is named']],
  ['graphrag-global', { ratePrompt: 'x', model: 'm', variant: 'dynamic' }, []],
  [
    'graphrag-global',
    { ratePrompt: 'x', model: 'm', variant: 'graphrag' },
    ['ratePrompt: is for a `model` with `variant: dynamic`'],
  ],
  [
    'graphrag-global',
    { ratePrompt: 'x', variant: 'dynamic' },
    ['ratePrompt: is for a `model` with `variant: dynamic`'],
  ],
  ['graphrag-global', { model: 'm', variant: 'simple' }, []],
  ['multi-hop', { judge: 'model' }, ['judge: `model` needs a `model`']],
  ['multi-hop', { judge: 'ircot' }, ['judge: `ircot` needs a `model`']],
  ['multi-hop', { judge: 'model', model: 'm', groups: 'x', filterGroups: false }, []],
  ['multi-hop', { judge: 'ircot', model: 'm' }, []],
  ['multi-hop', { judge: 'ircot', model: 'm', groups: 'x' }, ['groups: need `judge: model`']],
  [
    'multi-hop',
    { judge: 'model', model: 'm', filterGroups: true },
    ['filterGroups: is for `groups`, and there are none'],
  ],
  ['multi-hop', { judge: 'rules', model: 'm' }, ['model: is asked with `judge: model` or `ircot` only']],
  ['multi-hop', { prompt: 'x', seed: 1 }, NO_MODEL],
  ['traversal', { prompt: 'x', seed: 1 }, NO_MODEL],
  ['traversal', { examples: 'x' }, ['examples: are for a `model`, and none is named']],
  ['traversal', { examples: 'x', model: 'm' }, []],
  ['traversal', { requireBothPaths: true }, []],
  ['traversal', { requireBothPaths: true, alpha: 0, fusion: 'max' }, []],
  [
    'traversal',
    { requireBothPaths: true, alpha: 0 },
    ['requireBothPaths: needs both paths, and `alpha: 0` leaves one out'],
  ],
  [
    'traversal',
    { requireBothPaths: true, alpha: 1 },
    ['requireBothPaths: needs both paths, and `alpha: 1` leaves one out'],
  ],
  ['traversal', { alpha: 1 }, []],
  ['title-ppr', { engine: 'e', prior: 'bm25' }, []],
  ['title-ppr', { engine: 'e', prior: 'dense', fields: { text: 1 } }, [built('fields', 'engine')]],
  [
    'title-ppr',
    { engine: 'e' },
    [
      'engine: gives no scores of all chunks, which a hybrid prior reads; take `prior: dense` or `prior: bm25`',
    ],
  ],
  [
    'bm25',
    { engine: 'e', idf: 'okapi', stopwords: 'none', fields: { text: 1 } },
    [built('idf', 'engine'), built('stopwords', 'engine'), built('fields', 'engine')],
  ],
  ['bm25', { idf: 'okapi', fields: { text: 1, 'metadata.a': 2 } }, []],
  ['bm25', { fields: {} }, ['fields: must name fields: title, section, text, metadata.<name>']],
  [
    'bm25',
    { fields: { text: 1, body: 1 } },
    ['fields: must name fields: title, section, text, metadata.<name>'],
  ],
  ['hybrid', { engine: 'e', fusion: 'rrf' }, []],
  ['hybrid', { engine: 'e', norm: 'minmax', alpha: 0.3 }, []],
  ['hybrid', { engine: 'e' }, ['norm: must be `minmax` with `engine`; or take `fusion: rrf`']],
  ['hybrid', { engine: 'e', fusion: 'max' }, ['fusion: must be `rrf` or `weighted` with `engine`']],
  [
    'hybrid',
    { engine: 'e', fusion: 'rrf', alpha: 0.3 },
    ["alpha: is no part of an engine's RRF; leave it out"],
  ],
  [
    'hybrid',
    { engine: 'e', fusion: 'rrf', lexicalEngine: 'f' },
    ['engine: searches both sides; leave out `denseEngine` and `lexicalEngine`'],
  ],
  [
    'hybrid',
    { engine: 'e', fusion: 'rrf', denseEngine: 'f', stemmer: 'none' },
    [built('stemmer', 'engine'), 'engine: searches both sides; leave out `denseEngine` and `lexicalEngine`'],
  ],
  ['hybrid', { lexicalEngine: 'e', norm: 'zscore', stemmer: 'none' }, [built('stemmer', 'lexicalEngine')]],
  ['hybrid', { lexicalEngine: 'e', fusion: 'rrf' }, []],
  [
    'hybrid',
    { denseEngine: 'e' },
    [
      'norm: `corpus` needs scores that an engine does not give; take `fusion: rrf` or `norm` none, minmax, zscore, dbsf',
    ],
  ],
  [
    'hybrid',
    { lexicalEngine: 'e', norm: 'tmm' },
    [
      'norm: `tmm` needs scores that an engine does not give; take `fusion: rrf` or `norm` none, minmax, zscore, dbsf',
    ],
  ],
  ['fuse', { of: ['a', 'b', 'a', 'b'] }, ['of.2: names `a` twice', 'of.3: names `b` twice']],
  ['fuse', { of: ['a', 'b'], weights: [1] }, ['weights: has 1 for 2 trials']],
  ['fuse', { of: ['a', 'b'], weights: [0, 0] }, ['weights: leaves nothing to fuse: all are 0']],
  ['fuse', { of: ['a', 'b'], weights: [0, 0.5] }, []],
])('%s with %o: %o', (name, given, refused) => {
  const { error } = find(strategies, name).params.safeParse(given)
  expect((error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`)).toEqual(refused)
})
