import { expect, test } from 'vitest'
import { createTokenizer, ENGLISH, tokenize } from '../../src/text/tokenize.ts'
import { setUp } from './set-up.ts'

const DOCUMENTS: Readonly<Record<string, readonly string[]>> = {
  'Hindi, Greek, Hebrew and Korean': [
    'हिन्दी और अँग्रेज़ी भारत की भाषाएँ हैं',
    'Ο Οδυσσεύς γύρισε στην Ιθάκη',
    'שָׁלוֹם עֲלֵיכֶם אמר הזקן',
    '서울은 대한민국의 수도이다',
    'बिल्ली पेड़ पर बैठी है',
    'Η γάτα κοιμάται στο σπίτι',
    'הילד הלך הביתה',
    '고양이는 집에서 잔다',
  ],
  Turkish: [
    'Işık çok hızlı bir dalgadır ve bu yüzden her yere ulaşır',
    'İzmir çok eski bir şehir olduğu için her yıl turist çeker',
    'Kedi bu evin üstünde daha fazla uyur ve sonra gider',
  ],
  Vietnamese: [
    'Hoà bình là điều mà tất cả chúng tôi đều mong muốn cho các nước',
    'Sức khoẻ của các em là rất quan trọng đối với những người ở đây',
    'Con mèo ngủ ở trên mái nhà của tôi và không muốn đi',
  ],
  'names with signs': [
    'The C language, version c, a letter c',
    'C++ has templates',
    'C# has generics',
    'The .NET runtime collects garbage',
    'Release v1.2.3 mends the parser',
    'The net and the total were 1,234.50 euros',
    'GPT-4o answers questions',
    'Call getUserById or foo_bar',
  ],
  'invisible characters': [
    'The transfor\u00admation of the harbour took ten years',
    'Photo\u200bsynthesis turns light into sugar',
    'A light\u2060house, a break\ufeffwater and a draw\u200dbridge',
    'The grain\ufe0fstore was empty',
    'A ferry left at dawn',
  ],
  Arabic: [
    'القاهرة عاصمة مصر وأكبر مدنها',
    'ذهب الولد إلى المدرسة صباحا',
    'يقرأ الطالب كتابا في المكتبة',
    'السماء زرقاء اليوم',
  ],
  Persian: [
    'تهران پایتخت ایران است و بزرگ‌ترین شهر آن',
    'این کتاب را در کتابخانه‌های ملی می‌خوانند',
    'گربه روی دیوار چوبی نشسته است',
    'خانۀ روستایی در باران',
  ],
}

test.each([
  [
    'Hindi, Greek, Hebrew and Korean',
    ['हिंदी', 'अंग्रेजी', 'ΟΔΥΣΣΕΥΣ', 'שלום', '\u1109\u1165\u110b\u116e\u11af'],
    [0, 0, 1, 2, 3],
  ],
  ['Turkish', ['IŞIK', 'izmir'], [0, 1]],
  ['Vietnamese', ['hòa bình', 'sức khỏe'], [0, 1]],
  [
    'names with signs',
    ['C++', 'C#', '.NET', 'v1.2.3', '1234.50', 'gpt4o', 'user by id', 'fooBar'],
    [1, 2, 3, 4, 5, 6, 7, 7],
  ],
  [
    'invisible characters',
    ['transformation', 'photosynthesis', 'break\u00adwater', 'grainstore'],
    [0, 1, 2, 3],
  ],
  ['Arabic', ['القاهره', 'الي المدرسه', 'المكتبه'], [0, 1, 2]],
  ['Persian', ['پايتخت', 'كتاب ملي', 'ديوار چوبي', 'خانه'], [0, 1, 2, 3]],
] as const)('%s: bm25 finds every spelling of a word', async (name, queries, gold) => {
  const lines = (texts: readonly string[], letter: string) =>
    texts.map((text, i) => `${JSON.stringify({ _id: `${letter}${i}`, text })}\n`).join('')
  const config =
    'name: spelling\ndataset: words\nprepare: {chunk: passages, embedder: lsa}\ntrials: [bm25]\nmeasures: [recall@1]\n'
  const { call } = setUp(config, {
    'words/corpus.jsonl': lines(DOCUMENTS[name], 'd'),
    'words/queries.jsonl': lines(queries, 'q'),
    'words/qrels/test.tsv': gold.map((document, query) => `q${query}\td${document}\t1\n`).join(''),
  })
  const ran = await call('run', 'a.yaml', '--workers', '1')
  expect([ran.code, ran.err + ran.out]).toEqual([0, expect.stringMatching(/1 +bm25 +100\.00 /)])
})

test('invisible characters part no token, whatever the tokenizer', () => {
  for (const sign of '\u00ad\u034f\u061c\u200b\u200c\u200d\u200e\u200f\u202a\u202e\u2060\u2066\u2069\ufe0f\ufeff\u{e0101}') {
    expect(tokenize(`data${sign}base`)).toEqual(['database'])
    for (const name of ['words', 'segmenter', 'whitespace'] as const) {
      const tokens = createTokenizer({ ...ENGLISH, scripts: ['Latin', 'Greek'], tokenizer: { name } })
      expect(tokens(`data${sign}base`), `${name} ${sign.codePointAt(0)}`).toEqual(['database'])
    }
  }
})

test('a zero-width non-joiner parts Persian words, also behind a vowel mark', () => {
  const tokens = createTokenizer({ tokenizer: { name: 'words' }, scripts: ['Arabic'], languages: {} })
  expect(tokens('بزرگ\u200cترین')).toHaveLength(2)
  expect(tokens('بزرگِ\u200cترین')).toEqual(tokens('بزرگ\u200cترین'))
})
