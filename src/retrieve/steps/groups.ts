import { z } from 'zod'
import { oncePer } from '../../maps.ts'
import { hashFile } from '../../store/input.ts'
import { readYaml } from '../../store/yaml-input.ts'
import { entityKey } from '../../text/entity-key.ts'
import { withoutMarks } from '../../text/passage-marks.ts'
import { phraseTest } from '../../text/phrases.ts'
import { ratioFrom } from '../../text/similarity.ts'
import { countTokens } from '../../text/tokens.ts'

/**
 * The group filter of seed document 002 (its teams): a judge learns what belongs together in a corpus, but only the
 * groups that the question names; all of them where it names none.
 */

const NAMES = z.array(z.string().trim().min(1)).default([])

const GROUPS = z.record(
  z.string().trim().min(1),
  z.strictObject({ members: NAMES, abilities: NAMES, aliases: NAMES }),
)

export type Groups = Readonly<
  Record<string, Readonly<Record<'members' | 'abilities' | 'aliases', readonly string[]>>>
>

/** Groups of a file. Throws a UserError with every error and its line. */
export function readGroups(file: string): Groups {
  return readYaml(file, GROUPS, 'a list of groups').value
}

export function hashGroups(file: string | undefined): Readonly<Record<string, string>> {
  if (file === undefined) return {}
  readGroups(file)
  return { groups: hashFile(file) }
}

/** Minimum similarity of a group's name and words of the question, 0 to 1. */
const ALIKE = 0.8

/**
 * The groups that a text names, in their order: by a member, an ability or an alias as whole words in any case, or by
 * words that are alike to the group's name (ratio >= .8 of as many words, one more or one fewer).
 */
export function namedGroups(text: string, groups: Groups): string[] {
  const words = entityKey(text).split(' ')
  return testsOf(groups)
    .filter(({ isExact, key }) => isExact(text) || looksLike(key, words))
    .map(({ name }) => name)
}

const testsOf = oncePer((groups: Groups) =>
  Object.entries(groups).map(([name, { members, abilities, aliases }]) => ({
    name,
    key: entityKey(name),
    isExact: phraseTest([...members, ...abilities, ...aliases]),
  })),
)

function looksLike(name: string, words: readonly string[]): boolean {
  const length = name.split(' ').length
  return [length - 1, length, length + 1].some((size) =>
    words.some(
      (_, at) =>
        at + size <= words.length && ratioFrom(ALIKE, name, words.slice(at, at + size).join(' ')) > 0,
    ),
  )
}

export interface ToldGroups {
  readonly text: string
  readonly named: readonly string[]
  /** Tokens of `text`, and of the whole list. */
  readonly tokens: number
  readonly allTokens: number
}

/** Groups in the judge's prompt: those that the question names if `filter` is set, otherwise all. */
export function tellGroups(question: string, groups: Groups, filter: boolean): ToldGroups {
  const named = namedGroups(question, groups)
  const all = listed(Object.keys(groups), groups)
  const text = filter && named.length > 0 ? listed(named, groups) : all
  return { text, named, tokens: countTokens(text), allTokens: countTokens(all) }
}

function listed(names: readonly string[], groups: Groups): string {
  const kinds = ['members', 'abilities', 'aliases'] as const
  const lines = names.map((name) => {
    const parts = kinds.flatMap((kind) =>
      groups[name][kind].length > 0 ? [`${kind}: ${groups[name][kind].join(', ')}`] : [],
    )
    return [name, ...parts].join('; ')
  })
  return withoutMarks(lines.join('\n'))
}
