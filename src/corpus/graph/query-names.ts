import { z } from 'zod'
import { UserError } from '../../errors.ts'
import { quoted } from '../../models/vector-problem.ts'
import { type Artifact, defineArtifact } from '../../store/artifact.ts'
import { eachJsonLine, hashFile, readText } from '../../store/input.ts'

const WHAT = 'recorded names'

const line = z.strictObject({ text: z.string().min(1), names: z.array(z.string().trim().min(1)) })

interface RecordedNames {
  /** Names of a question's text. Throws a UserError if the file lacks the question. */
  of(text: string): readonly string[]
}

/**
 * Reads recorded names, a JSON object per line: `{"text": "...", "names": ["..."]}`. The key covers the content, not
 * the path.
 */
export function recordedNames(path: string): Artifact<RecordedNames> {
  return defineArtifact({
    name: 'recorded_names',
    version: 1,
    params: { sha256: hashFile(path, WHAT) },
    inputs: {},
    async open() {
      const names = readNames(path)
      return {
        of(text) {
          const recorded = names.get(text)
          if (recorded) return recorded
          const message = `holds no names of ${quoted(text)}; record the names again, or leave the file out`
          throw new UserError({ file: path, message })
        },
      }
    },
  })
}

export function hashNamesFile(path: string): string {
  readNames(path)
  return hashFile(path, WHAT)
}

function readNames(path: string): Map<string, readonly string[]> {
  const names = new Map<string, readonly string[]>()
  eachJsonLine(path, readText(path, WHAT), (value, wrong) => {
    const { data } = line.safeParse(value)
    if (!data) wrong('is not {"text": "...", "names": ["..."]}')
    else if (names.has(data.text)) wrong('repeats a text above')
    else names.set(data.text, [...new Set(data.names)])
  })
  return names
}
