import { z } from 'zod'
import { createRegistry, type Definition } from '../../registry.ts'
import { type TextProfile, TOKENIZERS } from '../../text/tokenize.ts'

type Name = TextProfile['tokenizer']['name']

const none = z.strictObject({})

const SUMMARIES: Readonly<Record<Name, string>> = {
  auto: 'words; where a script is written without spaces, 2-grams (Chinese, Japanese, Korean) or 3-grams (Thai, Lao, Khmer, Burmese)',
  words: 'runs of letters and digits, with the marks of their script',
  segmenter: "words by Intl.Segmenter; they depend on Node's ICU version",
  ngrams:
    'every run of letters and digits as overlapping runs of `n` characters, without stop words and stems',
  whitespace: 'what stands between white space, with its punctuation (seed document 003)',
}

/** Tokenizers of texts (`src/text/tokenize.ts`). */
export const tokenizers = createRegistry<Definition>(
  'tokenizer',
  TOKENIZERS.map((name): Definition => {
    if (name !== 'ngrams') return { name, summary: SUMMARIES[name], params: none }
    const n = z.int().min(1).max(8).default(2).describe('characters of an n-gram, each with its marks')
    return { name, summary: SUMMARIES[name], params: z.strictObject({ n }), only: 'n' }
  }),
)
