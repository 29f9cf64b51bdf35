import { z } from 'zod'
import { type Diagnostic, UserError } from '../errors.ts'
import { readYaml, type YamlInput } from '../store/yaml-input.ts'
import { didYouMean } from '../text/nearest.ts'
import { plainHeading } from '../text/plain-heading.ts'
import type { Chunk } from '../types.ts'

/**
 * Retrieval tests as data: a question, its requirements, and thresholds. A requirement is met by any chunk that matches it:
 *
 *     recall     requirements met by the first `depth` chunks / requirements
 *     precision  chunks among them that meet one / chunks among them
 */
const share = z.number().min(0).max(1)

const scalar = z.union([z.string(), z.number(), z.boolean()])

const requirement = z
  .strictObject({
    chunk: z.string().min(1).optional().describe('id of a chunk'),
    heading: z
      .string()
      .min(1)
      .optional()
      .describe('end of its heading path, such as `Conditions > Grappled`'),
    text: z.string().min(1).optional().describe('text that the chunk contains'),
  })
  .refine((requirement) => Object.values(requirement).filter((value) => value !== undefined).length === 1, {
    error: 'needs one of `chunk`, `heading`, `text`',
  })

const settings = {
  trial: z
    .string()
    .min(1)
    .optional()
    .describe('trial of the config, as with `ask --trial`; default: the first'),
  depth: z.int().min(1).max(1000).optional().describe('number of first chunks to check; default: 10'),
  recall: share.optional().describe('minimum recall to pass; default: 1'),
  precision: share.optional().describe('minimum precision to pass; default: 0'),
}

const test = z.strictObject({
  name: z.string().min(1).max(200),
  question: z.string().trim().min(1),
  metadata: z
    .record(z.string(), z.union([scalar, z.array(scalar)]))
    .optional()
    .describe('metadata of the question, which a filter of the trial reads'),
  requires: z.array(requirement).min(1),
  ...settings,
})

const testsSchema = z
  .strictObject({
    config: z.string().min(1).describe('path of the config, relative to this file'),
    ...settings,
    tests: z.array(test).min(1).max(10_000),
  })
  .superRefine(({ tests }, { addIssue }) => {
    const names = tests.map(({ name }) => name)
    for (const [index, name] of names.entries())
      if (names.indexOf(name) < index)
        addIssue({
          code: 'custom',
          path: ['tests', index, 'name'],
          message: `another test has the name \`${name}\``,
        })
  })

export type TestFile = z.output<typeof testsSchema>
type Requirement = z.output<typeof requirement>
export type RetrievalTest = z.output<typeof test>

export function readTests(path: string): YamlInput<TestFile> {
  return readYaml(path, testsSchema, 'retrieval tests')
}

type Fitted = Pick<Chunk, 'id' | 'section' | 'title' | 'text'>

export function fits({ chunk, heading, text }: Requirement, candidate: Fitted): boolean {
  if (chunk !== undefined) return candidate.id === chunk
  if (text !== undefined) return plain(candidate.text).includes(plain(text))
  const wanted = (heading ?? '').split('>').map((name) => plain(plainHeading(name.trim())))
  const path = (candidate.section.length > 0 ? candidate.section : [candidate.title]).map(plain)
  return wanted.every((name, index) => path[path.length - wanted.length + index] === name)
}

function plain(text: string): string {
  return text.trim().toLowerCase().replace(/\s+/g, ' ')
}

export function requireKnown(
  { value: { tests }, diagnostic }: YamlInput<TestFile>,
  chunks: readonly Fitted[],
): void {
  const diagnostics = tests.flatMap(({ requires }, index) =>
    requires.flatMap((required, place): Diagnostic[] => {
      if (chunks.some((chunk) => fits(required, chunk))) return []
      const at = ['tests', index, 'requires', place]
      if (required.chunk !== undefined) {
        const near = didYouMean(
          required.chunk,
          chunks.map(({ id }) => id),
        )
        return [diagnostic([...at, 'chunk'], `no chunk has the id \`${required.chunk}\`${near}`)]
      }
      if (required.heading !== undefined) {
        const names = chunks.flatMap(({ section, title }) => [...section, title])
        const near = didYouMean(required.heading, new Set(names))
        return [diagnostic([...at, 'heading'], `no chunk is under \`${required.heading}\`${near}`)]
      }
      return [diagnostic([...at, 'text'], 'no chunk contains the whole text')]
    }),
  )
  if (diagnostics.length > 0) throw new UserError(diagnostics)
}

interface TestScore {
  readonly recall: number
  readonly precision: number
  readonly unmet: readonly number[]
}

export function scoreTest(requires: readonly Requirement[], chunks: readonly Fitted[]): TestScore {
  const unmet = [...requires.keys()].filter((place) => !chunks.some((chunk) => fits(requires[place], chunk)))
  const meeting = chunks.filter((chunk) => requires.some((required) => fits(required, chunk)))
  return {
    recall: 1 - unmet.length / requires.length,
    precision: chunks.length === 0 ? 0 : meeting.length / chunks.length,
    unmet,
  }
}
