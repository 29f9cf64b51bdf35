import { expect, test } from 'vitest'
import { quoteRanges } from '../../src/dataset/gold-places.ts'
import { answerWords, normaliseAnswer } from '../../src/text/answers.ts'
import { entityKey } from '../../src/text/entity-key.ts'
import { recognise } from '../../src/text/recognise.ts'
import {
  createAnalyzer,
  createNameAnalyzer,
  createTokenizer,
  ENGLISH,
  type TextProfile,
} from '../../src/text/tokenize.ts'

const tokens = (text: string, profile: Partial<TextProfile> = {}) =>
  createTokenizer({ ...ENGLISH, ...profile })(text)

test.each([
  ['soft hyphen', 'trans\u00adformation', 'transformation'],
  ['zero-width space', 'Photo\u200bsynthesis', 'photosynthesis'],
  ['zero-width joiner and non-joiner', 'da\u200dta\u200cbase', 'database'],
  ['word joiner and byte order mark', 'da\u2060ta\ufeffbase', 'database'],
  ['marks of direction', '\u202adata\u202c\u2066base\u2069', 'database'],
  ['variation selector', 'data\ufe0fbase', 'database'],
  ['decomposed accent', 'cafe\u0301', 'café'],
  ['full width', 'ｄａｔａ', 'data'],
])('%s never parts a word', (_, written, word) => {
  expect(tokens(written)).toEqual([word])
  expect(tokens(written, { scripts: ['Latin'], languages: { Latin: 'german' } })).toEqual([word])
  expect(entityKey(written).normalize('NFKC')).toBe(word)
  expect(normaliseAnswer(written).normalize('NFKC')).toBe(word)
  expect(answerWords(`the ${written}`)).toHaveLength(1)
})

test('a quote is found across invisible characters, and its range holds them', () => {
  const text = 'The trans\u00adfor\u00admation of the har\u200bbour.'
  const [range] = quoteRanges(text, 'transformation of the harbour')
  expect(text.slice(range.start, range.end)).toBe('trans\u00adfor\u00admation of the har\u200bbour')
  expect(quoteRanges('The transformation.', 'trans\u00adformation')).toHaveLength(1)
})

test('letters of Arabic, Persian and Urdu that stand for one another are one', () => {
  const arabic = { scripts: ['Arabic'], languages: { Arabic: 'arabic' } } as const
  const same = [
    ['القاهرة', 'القاهره'],
    ['إلى', 'الي'],
    ['أحمد', 'احمد'],
    ['آباد', 'اباد'],
    ['کتاب', 'كتاب'],
    ['كِتَابٌ', 'كتاب'],
    ['١٢٣', '123'],
    ['۱۲۳', '123'],
  ]
  for (const languages of [arabic.languages, { Arabic: 'persian' }, {}])
    for (const [a, b] of same)
      expect(tokens(a, { ...arabic, languages })).toEqual(tokens(b, { ...arabic, languages }))
  expect(tokens('می\u200cروم', { ...arabic, languages: { Arabic: 'persian' } })).toHaveLength(2)
})

test('Arabic forms of a word have one stem in any spelling, and stop words are found', () => {
  const params = { stemmer: 'language', stopwords: 'language' } as const
  const terms = createAnalyzer(params, { ...ENGLISH, scripts: ['Arabic'], languages: { Arabic: 'arabic' } })
  for (const forms of [
    'مدينة المدينة مدينتهم',
    'سيارة السيارة سيارته',
    'القاهرة القاهره',
    'المدرسة مدرسة المدرسه مدرسه',
  ])
    expect(new Set(terms(forms)).size).toBe(1)
  expect(terms('إلى الى الي')).toEqual([])
})

test('Hindi spellings of one word are one, as in Lucene', () => {
  const hindi: Partial<TextProfile> = { scripts: ['Devanagari'], languages: { Devanagari: 'hindi' } }
  const english = ['अँगरेज़ी', 'अँगरेजी', 'अँग्रेज़ी', 'अँग्रेजी', 'अंगरेज़ी', 'अंगरेजी', 'अंग्रेज़ी', 'अंग्रेजी']
  for (const spelling of english) expect(tokens(spelling, hindi)).toEqual(['अंगरेजि'])
  const pairs = [
    ['हिन्दी', 'हिंदी'],
    ['क़िताब', 'किताब'],
    ['पढ़ना', 'पढना'],
    ['शार\u094d\u200dमा', 'शार्मा'],
    ['डॉक्टर', 'डोक्टर'],
    ['आईना', 'अइना'],
    ['ऐनक', 'एनक'],
    ['२०२४', '2024'],
  ]
  for (const [a, b] of pairs) expect(tokens(a, hindi)).toEqual(tokens(b, hindi))
  expect(tokens('दिल', hindi)).not.toEqual(tokens('दाल', hindi))
})

test.each<[string, TextProfile['languages'], [string, string][]]>([
  [
    'Vietnamese tones',
    { Latin: 'vietnamese' },
    [
      ['hoà', 'hòa'],
      ['thuý', 'thúy'],
      ['HOẠ', 'họa'],
      ['khoẻ', 'khỏe'],
      ['Vie\u0323\u0302t', 'Việt'],
    ],
  ],
  [
    'Turkish i',
    { Latin: 'turkish' },
    [
      ['ISPARTA', 'ısparta'],
      ['İZMİR', 'izmir'],
    ],
  ],
  [
    'Greek',
    { Greek: 'greek' },
    [
      ['ΟΔΥΣΣΕΥΣ', 'Οδυσσεύς'],
      ['ΌΔΟΣ', 'όδος'],
      ['ϊ', 'Ι'],
    ],
  ],
  [
    'Hebrew',
    { Hebrew: 'hebrew' },
    [
      ['שָׁלוֹם', 'שלום'],
      ['\ufb2aלום', 'שלום'],
    ],
  ],
  [
    'Korean',
    { Hangul: 'korean' },
    [
      ['\u1112\u1161\u11ab\u1100\u1173\u11af', '한글'],
      ['ﾡ', 'ㄱ'],
    ],
  ],
])('%s: spellings of one word are one', (_, languages, pairs) => {
  const scripts = Object.keys(languages) as TextProfile['scripts']
  for (const [a, b] of pairs) {
    const profile = { tokenizer: { name: 'auto' }, scripts, languages } as const
    expect(tokens(a, profile)).toEqual(tokens(b, profile))
    expect(tokens(a, profile)).not.toEqual([])
  }
})

test('Sorani spellings are one, as in Lucene', () => {
  const sorani: Partial<TextProfile> = { scripts: ['Arabic'], languages: { Arabic: 'sorani' } }
  // Those of Lucene's TestSoraniNormalizationFilter.
  const rows = [
    ['\u064a', '\u06cc'],
    ['\u0649', '\u06cc'],
    ['\u06cc', '\u06cc'],
    ['\u0643', '\u06a9'],
    ['\u06a9', '\u06a9'],

    ['\u0647\u200c', '\u06d5'],
    ['\u0647\u200c\u06a9', '\u06d5\u06a9'],
    ['\u06be', '\u0647'],
    ['\u0629', '\u06d5'],

    ['\u0647\u0647\u0647', '\u0647\u0647\u06d5'],
    ['\u0692', '\u0695'],
    ['\u0631\u0631\u0631', '\u0695\u0631\u0631'],
    ['\u0628\u0640\u064b\u064c\u064d\u064e\u064f\u0650\u0651\u0652\u0628\u200c\u0628', '\u0628\u0628\u0628'],
  ]
  for (const [written, right] of rows) expect([written, tokens(written, sorani)]).toEqual([written, [right]])
})

test('Sorani is told from Persian by its letters', () => {
  const sorani =
    'ئەم شارە لە باشووری کوردستانە و ژمارەی دانیشتووانی بۆ سەدان هەزار کەس دەگات، ڕووبارێکی گەورەی هەیە. '
  expect(recognise([sorani.repeat(5)]).languages.Arabic).toBe('sorani')
})

test('Persian is told from Arabic by its letters', () => {
  const persian = 'پژوهشگران گفتند که این گزارش چاپ شده است و برای همه در دسترس خواهد بود. '.repeat(5)
  const arabic =
    'قال الباحثون إن هذا التقرير قد نشر في المدينة وهو متاح لكل من يريد أن يقرأ عن النهر. '.repeat(5)
  expect(recognise([persian]).languages.Arabic).toBe('persian')
  expect(recognise([arabic]).languages.Arabic).toBe('arabic')
})

const PLAIN = { stemmer: 'none', stopwords: 'none' } as const
const AUTO: TextProfile = { ...ENGLISH, tokenizer: { name: 'auto' } }
const names = (text: string, profile = AUTO) => createNameAnalyzer(PLAIN, profile)(text)

test.each([
  ['C++ templates', ['c++'], ['c#']],
  ['C# generics', ['c#'], ['c++']],
  ['the .NET runtime', ['.net'], []],
  ['Release v1.2.3 fixes', ['v1.2.3'], ['v123']],
  ['The total was 1,234.50 euros', ['1234.50'], ['1234.05']],
  ['GPT-4o was released', ['gpt4o'], []],
  ['call foo_bar now', ['foobar'], []],
  ['an e-mail', ['email'], []],
  ['Node.js', ['nodejs'], []],
  ['AT&T', ['att'], []],
  ['Call getUserById to', ['get', 'user', 'by', 'id', 'getuserbyid'], []],
  ['an HTTPServer', ['http', 'server', 'httpserver'], []],
  ['LLMs and APIs', [], ['ll', 'ms', 'ap', 'is']],
  ['A plain sentence. Another one, with commas', [], ['sentenceanother']],
  ['a snow-white,three-legged and/or second-hand cat', [], ['snowwhite', 'threelegged', 'andor']],
])('names with signs: %s', (text, whole, others) => {
  const found = [...tokens(text), ...names(text)]
  expect(found).toEqual(expect.arrayContaining([...whole]))
  for (const other of others) expect(found).not.toContain(other)
})

test('names with signs are found beside scripts without spaces and in spellings of other scripts', () => {
  const chinese: TextProfile = { ...AUTO, scripts: ['Han', 'Latin'], languages: {} }
  expect(names('使用C++编程', chinese)).toContain('c++')
  expect(names('ＧＰＴ－４o的', chinese)).toContain('gpt4o')
  const greek: TextProfile = { ...AUTO, scripts: ['Greek', 'Latin'], languages: { Greek: 'greek' } }
  expect(names('Άλφα.Βήτα', greek)).toContain('αλφαβητα')
  const arabic: TextProfile = { ...AUTO, scripts: ['Arabic'], languages: { Arabic: 'arabic' } }
  expect(names('v١.٢', arabic)).toContain('v1.2')
  expect(names('١,٢٣٤.٥', arabic)).toContain('1234.5')
  // Persian words are written with a zero-width non-joiner and without.
  expect(names('کتاب\u200cخانهٔ ملی', arabic)).toEqual(names('كتاب\u200cخانه', arabic))
  expect(names('کتاب\u200cخانهٔ ملی', arabic)).toEqual([...createAnalyzer(PLAIN, arabic)('کتابخانه')])
})

test('a name with signs is not stemmed, and its parts are', () => {
  const analyze = createNameAnalyzer({ stemmer: 'language', stopwords: 'language' }, AUTO)
  expect(analyze('C++ releases v1.2.3')).toEqual(['c++', 'v1.2.3'])
  expect(analyze('getUsersOf')).toEqual(['get', 'user'])
})
