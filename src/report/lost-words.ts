import type { IndexSummary, SearchedWords, WordsSummary } from '../results/summary.ts'
import { UNSPACED } from '../text/scripts.ts'
import { percent, plural, quantity } from './numbers.ts'

/** One line per search that finds nothing for some queries because their words are not in the corpus. */
export function lostWordsLines(indexes: readonly Pick<IndexSummary, 'name' | 'words'>[]): string[] {
  return indexes.flatMap(({ name, words }) => {
    if (!words) return []
    const whose = indexes.length > 1 ? ` of ${name}` : ''
    return words.searches
      .filter(({ wordless, unknown }) => wordless + unknown > 0)
      .map(
        (search) =>
          `${search.name}${whose}: ${lossesOf(search)} (${readingOf(words)})${adviceOn(words, search)}.`,
      )
  })
}

function lossesOf({ queries, wordless, unknown }: SearchedWords): string {
  const all = plural(queries, 'judged query', 'judged queries')
  const why = [
    unknown > 0
      ? `${quantity(unknown)} of ${all}, which ${unknown === 1 ? 'shares' : 'share'} no word with the corpus`
      : '',
    wordless > 0
      ? `${quantity(wordless)} of ${all}, which ${wordless === 1 ? 'has' : 'have'} no word besides stop words`
      : '',
  ]
  return `finds nothing for ${why.filter(Boolean).join(', and for ')}`
}

function readingOf({ tokenizer, language, scripts }: WordsSummary): string {
  const named = [...new Set(scripts.flatMap(({ language }) => language ?? []))]
  const languages =
    language === 'none'
      ? 'none'
      : `${named.join(', ') || 'not recognised'}${language === 'auto' ? ' (auto)' : ''}`
  return `tokenizer ${tokenizer}, language ${languages}`
}

/** Suggests a tokenizer or language setting, or another cause. */
function adviceOn({ tokenizer, language, scripts }: WordsSummary, { unknown }: SearchedWords): string {
  const other =
    tokenizer === 'words' ? scripts.some(({ script }) => script in UNSPACED) : tokenizer !== 'auto'
  if (other) return '; try `prepare.tokenizer: auto`'
  const wrong = scripts.some(({ recognised, language }) => recognised !== null && recognised !== language)
  if (language !== 'auto' && wrong) return '; try `prepare.language: auto`'
  return unknown > 0 ? '; they may be in another language, in other words or misspelled' : ''
}

/** 'tokenizer auto; language auto: Han (98.1 % of the letters) chinese, Latin (1.9 %) taken for english; seen in 240 texts'. */
export function wordsInWords({ tokenizer, language, scripts, texts }: WordsSummary): string {
  const told = scripts.map(({ script, share, recognised, language }, index) => {
    const taken =
      language === null ? 'no language' : recognised === language ? language : `treated as ${language}`
    return `${script} (${percent(share)} %${index === 0 ? ' of the letters' : ''}) ${taken}`
  })
  return `tokenizer ${tokenizer}; language ${language}: ${told.join(', ') || 'no letter'}; based on ${plural(texts, 'text')}`
}
