import { describe, expect, it } from 'vitest'
import { chunkDocuments } from '../../../src/corpus/chunks/chunk.ts'
import { extractGraph } from '../../../src/corpus/graph/extraction.ts'
import { extractors } from '../../../src/corpus/graph/extractors/index.ts'
import { knownHeadings, referencesOf } from '../../../src/corpus/graph/extractors/structure.ts'
import { resolve } from '../../../src/registry.ts'
import { entityKey } from '../../../src/text/entity-key.ts'

const HEADINGS = ['Movement', 'Hit', 'Hit Points', 'Combat', 'If', 'Rock & Roll’s End', 'See Invisibility']
const headingsOf = (names: readonly string[]) =>
  knownHeadings(new Map(names.map((name) => [entityKey(name), name])))
/** The keys that a text refers to; `-` for a reference that leads nowhere. */
const refersTo = (text: string, headings = HEADINGS) =>
  referencesOf(text, headingsOf(headings)).map(({ key }) => key ?? '-')

describe('references to headings', () => {
  it.each([
    ['See Movement for more.', ['movement']],
    ['Fighters hit (see Combat).', ['combat']],
    ['It hurts (see also Hit Points).', ['hit points']],
    ['For speed see movement.', ['movement']],
    ['Please refer to the Combat section.', ['combat']],
    ['You can refer to Combat.', ['combat']],
    ['See the section on Hit Points.', ['hit points']],
    ['*See also* **Movement**.', ['movement']],
    ['See also: Combat', ['combat']],
    ['Lost all?\nSee Hit\nPoints.', ['hit points']],
  ])('after see: %s', (text, keys) => expect(refersTo(text)).toEqual(keys))

  it('are names in quotation marks, each once', () => {
    expect(refersTo('See the "Movement" section and “Combat.”')).toEqual(['movement', 'combat'])
  })

  it('are links to anchors, each once, after see or not', () => {
    expect(refersTo('See [Movement](#movement), or [how to fight](#combat "Fighting").')).toEqual([
      'movement',
      'combat',
    ])
    expect(
      refersTo('[Points](#hit-points-1) [end](#rock--rolls-end) [end](#rock%20%26%20roll’s%20end)'),
    ).toEqual(['hit points', 'rock roll s end', 'rock roll s end'])
  })
})

describe('structure', () => {
  it('relates a section to those it refers to, and counts what leads nowhere', async () => {
    const text = [
      '# Rules\n\nIntro, see Cover.',
      '## Cover\n\nHide well (see also hit points). You can see in the dark.',
      '## Hit Points\n\nRoll, see [Cover](#cover), "Luck", Fate. See Fate. [Gone](#gone)',
    ].join('\n\n')
    const documents = [{ id: 'd', title: 'Rules', text, metadata: {} }]
    const chunks = chunkDocuments(documents, { name: 'headings', params: {} })
    const { graph, counts } = await extractGraph({ chunks, documents }, [
      resolve(extractors, { name: 'structure', params: {} }),
    ])
    const { entities, relationships } = graph
    const name = (row: number) => entities.names[row]
    const references = Array.from(
      relationships.sources,
      (source, row) => `${name(source)} | ${name(relationships.targets[row])}`,
    )
    expect(references).toContain('Rules > Cover | Rules > Hit Points')
    expect(references).toContain('Rules > Hit Points | Rules > Cover')
    expect(counts.structure.unresolvedReferences).toBe(3)
  })
})
