import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createRegistry, find, listParts, lookUpName } from '../src/registry.ts'

const fruits = createRegistry('fruit', [
  { name: 'apple', aliases: ['pomme'], params: z.strictObject({ peeled: z.boolean().default(false) }) },
  { name: 'pear', params: z.strictObject({ slices: z.int().min(1), weight: z.number().min(0).optional() }) },
])

describe('a registry', () => {
  test('finds a definition by its name and its aliases', () => {
    expect(find(fruits, 'pear')).toBe(fruits.all[1])
    expect(find(fruits, 'pomme')).toBe(find(fruits, 'apple'))
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
