import { expect, test } from 'vitest'
import { answerWords, normaliseAnswer } from '../../src/text/answers.ts'
import { entityKey } from '../../src/text/entity-key.ts'
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

const PLAIN = { stemmer: false, stopwords: false }
const AUTO: TextProfile = { ...ENGLISH, tokenizer: { name: 'auto' } }
const names = (text: string, profile = AUTO) => {
  const plain = { ...profile, ...PLAIN }
  return createNameAnalyzer(plain, createAnalyzer(plain))(text)
}

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
  const parts = [...tokens(text), ...names(text)]
  expect(parts).toEqual(expect.arrayContaining([...whole]))
  for (const other of others) expect(parts).not.toContain(other)
})
