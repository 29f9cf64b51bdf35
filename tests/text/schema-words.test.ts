import { expect, test } from 'vitest'
import { z } from 'zod'
import { fieldComplaint, show } from '../../src/text/schema-words.ts'

test('no message is the schema library’s own', () => {
  const schema = z.strictObject({
    name: z.string().regex(/^[a-z]+$/),
    at: z.iso.datetime('must be a time such as 2026-11-25T10:00:00Z'),
    count: z.int().min(1),
    kind: z.enum(['person', 'model']),
    words: z.array(z.string()).min(1),
  })
  const given = { name: 'A b', at: 'yesterday', count: 1.5, kind: 'modle', words: [], more: 1 }
  const { error } = schema.safeParse(given)
  expect(error?.issues.map((issue) => fieldComplaint(issue, given))).toEqual([
    '`name` must match /^[a-z]+$/, not `A b`',
    '`at` must be a time such as 2026-11-25T10:00:00Z',
    '`count` must be a whole number, not 1.5',
    '`kind` must be one of person, model, not `modle` (did you mean "model"?)',
    '`words` must have at least 1 entry, not an empty list',
    'there is no `more`',
  ])
})

test.each([
  [{ score: '4', sure: true }, '`score` must be a number, not the text `4`'],
  [{ score: 'high', sure: true }, '`score` must be a number, not `high`'],
  [{ score: 4, sure: 'true' }, '`sure` must be true or false, not the text `true`'],
])('%j: a number in quotes is called a text', (value, words) => {
  const { error } = z.strictObject({ score: z.int(), sure: z.boolean() }).safeParse(value)
  expect(error?.issues.map((issue) => fieldComplaint(issue, value))).toEqual([words])
})

test.each([
  [['a'], 'a list'],
  [[], 'an empty list'],
  [{}, 'a map'],
  [null, 'null'],
  [1.5, '1.5'],
  ['a\n  b', '`a b`'],
  ['x'.repeat(58), `\`${'x'.repeat(58)}\``],
  ['x'.repeat(59), `\`${'x'.repeat(56)}...`],
])('%j is shown as %s', (value, words) => {
  expect(show(value)).toBe(words)
})
