import { z } from 'zod'
import { UserError } from '../../errors.ts'
import { hashFile } from '../../store/input.ts'
import { readYaml } from '../../store/yaml-input.ts'
import { circleIn } from '../../text/cycle.ts'
import { phraseKey } from '../../text/phrases.ts'
import { filePath } from './params.ts'

/** A dictionary that a config holds under `name`, or a file that `path` names: exactly one of them. */
export function dictionaryParams<N extends string, S extends z.ZodType>(
  name: N,
  entries: S,
  description: string,
) {
  const params = {
    [name]: entries.optional().describe(description),
    path: filePath(`a YAML or JSON file with these: ${description}`),
  }
  return z
    .strictObject(params as Record<N, z.ZodOptional<S>> & { path: z.ZodOptional<z.ZodString> })
    .superRefine((params: Readonly<Record<string, unknown>>, { addIssue }) => {
      const { path, [name]: inline } = params
      if ((path === undefined) === (inline === undefined))
        addIssue({ code: 'custom', path: [], message: `needs \`${name}\` or \`path\`, and not both` })
      const circle = inline === undefined ? undefined : circleOf(inline as Dictionary)
      if (circle) addIssue({ code: 'custom', path: [name], message: inCircle(circle) })
    })
}

type Dictionary = Readonly<Record<string, string | readonly string[]>>

/** Entries of a file. Throws a UserError with every error and its line. */
export function readDictionary<S extends z.ZodType>(path: string, entries: S, subject: string): z.output<S> {
  const { value, diagnostic } = readYaml(path, entries, subject)
  const circle = circleOf(value as Dictionary)
  if (circle) throw new UserError([diagnostic([circle[0]], inCircle(circle))])
  return value
}

export function dictionaryFiles(entries: z.ZodType, subject: string) {
  return ({ path }: { readonly path?: string | undefined }): Record<string, string> => {
    if (path === undefined) return {}
    readDictionary(path, entries, subject)
    return { path: hashFile(path) }
  }
}

/** Ignores a word that equals its canonical form (`hit points` and `Hit Points`). */
function circleOf(entries: Dictionary): string[] | undefined {
  const links = Object.entries(entries).map(([word, others]) => {
    const differ = [others].flat().filter((other) => phraseKey(other) !== phraseKey(word))
    return [word, differ] as const
  })
  return circleIn(new Map(links), phraseKey)
}

const inCircle = (words: readonly string[]) => `leads in a circle: ${words.join(', ')}`
