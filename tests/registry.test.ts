import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createRegistry, find, listParts, lookUpName, resolve, unknown } from '../src/registry.ts'

const fruits = createRegistry('fruit', [
  { name: 'apple', aliases: ['pomme'], params: z.strictObject({ peeled: z.boolean().default(false) }) },
  { name: 'pear', params: z.strictObject({ slices: z.int().min(1), weight: z.number().min(0).optional() }) },
])

describe('a registry', () => {
  test('finds a definition by its name and its aliases', () => {
    expect(find(fruits, 'pear')).toBe(fruits.all[1])
    expect(find(fruits, 'pomme')).toBe(find(fruits, 'apple'))
  })

  test('refuses an unknown name with the nearest one and with what there is', () => {
    expect(() => find(fruits, 'aple')).toThrow(
      'there is no fruit `aple` (did you mean "apple"?); there are apple, pear',
    )
    expect(unknown(fruits, 'pare', '@5')).toContain('`pare@5` (did you mean "pear@5"?)')
    expect(unknown(createRegistry('tree', [], 'see the docs'), 'constructor')).toBe(
      'there is no tree `constructor`; see the docs',
    )
    expect(unknown(createRegistry('tree', []), 'oak')).toBe('there is no tree `oak`; there are none yet')
  })

  test('resolves a choice: defaults filled in, every wrong param told', () => {
    expect(resolve(fruits, { name: 'apple', params: {} })).toEqual({
      definition: fruits.all[0],
      params: { peeled: false },
    })
    expect(() => resolve(fruits, { name: 'pear', params: { slices: 0, weight: -1 } })).toThrow(
      /^fruit pear: `slices` must be at least 1, not 0\nfruit pear: `weight` must be /,
    )
  })
})

describe('a list of parts', () => {
  const plant = { summary: 's', params: z.strictObject({}), make: () => undefined }
  const open = () => {
    const loaded: string[] = []
    const entry = (name: string) => async () => {
      loaded.push(name)
      return { default: { ...plant, name } }
    }
    return { loaded, trees: listParts('tree', { oak: entry('oak'), elm: entry('elm') }) }
  }

  test('loads the named definitions alone, each once, and ignores other names', async () => {
    const { loaded, trees } = open()
    expect(await trees.load(['elm', 'birch'])).toEqual([{ ...plant, name: 'elm' }])
    await trees.load(['elm'])
    expect(loaded).toEqual(['elm'])
    expect(find(trees, 'elm')).toMatchObject({ name: 'elm' })
  })

  test('knows every name before it is loaded', () => {
    const { loaded, trees } = open()
    expect(() => find(trees, 'okk')).toThrow(
      'there is no tree `okk` (did you mean "oak"?); there are oak, elm',
    )
    expect(lookUpName(trees, 'birch')).toBeUndefined()
    expect(loaded).toEqual([])
  })
})
