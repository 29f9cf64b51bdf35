import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { LANGUAGES, stemmerOf } from '../../src/text/languages.ts'
import { phrasePattern } from '../../src/text/phrases.ts'
import { recognise } from '../../src/text/recognise.ts'
import type { Script } from '../../src/text/scripts.ts'
import { createAnalyzer, createTokenizer, ENGLISH, TOKENIZERS } from '../../src/text/tokenize.ts'

const profile = (
  name: (typeof TOKENIZERS)[number],
  scripts: Script[],
  languages: Partial<Record<Script, string>> = {},
  n?: number,
) => ({ tokenizer: { name, n }, scripts, languages })

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({
    unit: fc.constantFrom(...'aİßςΣéẹ̀ёșक़िँกำ東京ﾊﾟガ가٣५๓０ーー \u0301\u200d\u00ad\uD800𠀀’.,ﬁ'),
    maxLength: 30,
  }),
)
const PROFILES = [
  ENGLISH,
  ...TOKENIZERS.flatMap((name) => [
    profile(name, ['Latin'], { Latin: 'turkish' }, 3),
    profile(name, ['Han', 'Hiragana', 'Thai', 'Latin'], { Latin: 'english' }),
    profile(name, ['Devanagari', 'Greek', 'Cyrillic', 'Arabic'], {
      Cyrillic: 'russian',
      Arabic: 'arabic',
      Greek: 'greek',
      Devanagari: 'hindi',
    }),
  ]),
]

describe('tokens of any text', () => {
  test.each(PROFILES)('are found, the same each time, and none is empty: %j', (profile) => {
    const tokens = createTokenizer(profile)
    const used = createAnalyzer(profile)
    fc.assert(
      fc.property(anyText, (text) => {
        const words = tokens(text)
        expect(words.every((token) => token !== '' && !/\s/u.test(token))).toBe(true)
        expect(tokens(text)).toEqual(words)
        expect(createTokenizer(profile)(text)).toEqual(words)
        expect(used(text).every((term) => term !== '')).toBe(true)
      }),
      { numRuns: 30 },
    )
  })
})

describe('scripts and languages', () => {
  const east = createAnalyzer(profile('auto', ['Han', 'Hiragana', 'Hangul', 'Latin'], { Latin: 'english' }))
  test.each([
    ['東京タワー', ['東京', '京タ', 'タワ', 'ワー']],
    ['２０１６年の ﾀﾜｰ', ['2016', '年の', 'タワ', 'ワー']],
    ['iPhoneを買う', ['iphon', 'を買', '買う']],
    ['대한민국', ['대한', '한민', '민국']],
    ['猫', ['猫']],
  ])('%s', (text, terms) => expect(east(text)).toEqual(terms))

  test.each([
    ['german', 'Latin', 'Die Häuser und der HÄUSERN', ['haus', 'haus']],
    ['french', 'Latin', "L'homme qu’il aimait", ['homm', 'aim']],
    ['turkish', 'Latin', 'IŞIK İstanbul', ['ışık', 'istanbul']],
    ['romanian', 'Latin', 'științe ştiinţe', ['ştiinţ', 'ştiinţ']],
    ['russian', 'Cyrillic', 'ёлки и елки', ['елк', 'елк']],
    ['greek', 'Greek', 'Η ΠΌΛΗ, πόλης', ['πολ', 'πολ']],
    ['arabic', 'Arabic', 'كِتَابٌ ـكتابـ ٢٠١٦', ['كتاب', 'كتاب', '2016']],
    ['persian', 'Arabic', 'کتابِ ملی كتاب ملي ۱۳۹۵', ['كتاب', 'ملي', 'كتاب', 'ملي', '1395']],
    ['hindi', 'Devanagari', 'हिन्दी की क़लम २०', ['हिंद', 'कलम', '20']],
    ['vietnamese', 'Latin', 'Nhà của tôi', ['nhà', 'tôi']],
  ] as const)('%s', (language, script, text, terms) => {
    const analyze = createAnalyzer(profile('auto', [script, 'Thai'], { [script]: language }))
    expect(analyze(text)).toEqual(terms)
  })

  /** Words and their stems by PyStemmer 3.1.0 (Snowball's own C code); Dutch by its `dutch_porter`. */
  const stems: Record<string, Record<string, string>> = JSON.parse(
    readFileSync('tests/fixtures/snowball-stems.json', 'utf8'),
  )
  const stemmed = Object.keys(LANGUAGES).filter((name) => LANGUAGES[name].stemmer)
  // Slovene has a stemmer in the package that Snowball itself does not distribute.
  test.each(stemmed.filter((name) => name !== 'slovene'))('%s is stemmed as by Snowball', (name) => {
    const stem = stemmerOf(name)
    const words = Object.keys(stems[name])
    expect(words.length).toBeGreaterThan(10)
    expect(Object.fromEntries(words.map((word) => [word, stem(word)]))).toEqual(stems[name])
    const { script } = LANGUAGES[name]
    const analyze = createAnalyzer({
      ...profile('auto', [script, 'Thai'], { [script]: name }),
      stopwords: false,
    })
    // Tokens reach the stemmer as they are: the words of the list are folded already.
    expect(words.filter((word) => analyze(word)[0] !== word).length).toBeGreaterThan(words.length / 2)
  })
})

describe('a language is recognised by its small words', () => {
  test.each([
    ['english', 'The dog and the fox sleep in the sun because they are tired of running.'],
    ['german', 'Der Fluss fließt durch die Schweiz und die Niederlande, bevor er in die Nordsee mündet.'],
    ['spanish', 'La guerra comenzó en julio de 1936 y terminó en abril con la victoria de los sublevados.'],
    ['romanian', 'Bucureștiul este capitala și cel mai mare oraș din țară, fiind situat pe malurile râului.'],
    ['turkish', 'Bu şehir, çok eski bir tarihe sahip olduğu için her yıl daha fazla turist çeker ve büyür.'],
    [
      'vietnamese',
      'Hà Nội là thủ đô của Việt Nam và là thành phố lớn thứ hai của cả nước với nhiều di tích.',
    ],
    [
      'russian',
      'Москва является столицей и городом страны, который находится на реке и не был основан как столица.',
    ],
    [
      'ukrainian',
      'Київ є столицею та найбільшим містом, яке розташоване на Дніпрі, але це не єдине місто, що має це.',
    ],
    [
      'arabic',
      'القاهرة هي عاصمة مصر وأكبر مدينة في البلاد وتقع على نهر النيل وقد كانت من أهم المدن في العالم',
    ],
    ['persian', 'تهران پایتخت ایران و بزرگترین شهر این کشور است که در دامنه کوه قرار دارد'],
    ['persian', 'تهران پايتخت ايران و بزرگترين شهر اين كشور است كه در دامنه كوه قرار دارد'],
    ['urdu', 'لاہور پاکستان کا ایک بڑا شہر ہے اور یہ دریائے راوی کے کنارے واقع ہے'],
    ['hindi', 'दिल्ली भारत की राजधानी है और यह देश के उत्तर में है जो कि नदी के किनारे पर बसा है'],
    ['greek', 'Η Αθήνα είναι η πρωτεύουσα της Ελλάδας'],
    ['japanese', '東京は日本の首都であり、世界最大の都市の一つです。'],
    ['chinese', '北京是中华人民共和国的首都。'],
    ['korean', '서울은 대한민국의 수도이다.'],
    ['thai', 'กรุงเทพมหานครเป็นเมืองหลวงของประเทศไทย'],
  ])('%s', (language, text) => expect(Object.values(recognise([text]).languages)).toContain(language))
})

test('an alias ends where a word ends, and anywhere in a script without spaces', () => {
  const matchesOf = (alias: string, text: string) => text.match(phrasePattern([alias], false)) ?? []
  expect(matchesOf('AC', 'AC是 TAC AC')).toEqual(['AC', 'AC'])
  expect(matchesOf('东京', '在东京塔')).toEqual(['东京'])
  expect(matchesOf('Tシャツ', 'Tシャツa aTシャツ')).toEqual(['Tシャツ'])
  expect(matchesOf('東京X', '東京X線 東京Xy')).toEqual(['東京X'])
})
