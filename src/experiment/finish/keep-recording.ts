import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { recordingOf } from '../../models/completions/recording.ts'
import { parseCompletion, type StoredCompletion } from '../../models/completions/request.ts'
import { writeWhole } from '../../store/write.ts'

/** Adds completions to the folder's recording. */
export function keepRecording(folder: string, answers: Iterable<StoredCompletion>): void {
  const file = join(folder, 'answers.jsonl')
  const before = existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => parseCompletion(line, file))
    : []
  const all = recordingOf([...before, ...answers])
  if (all.completions > 0) writeWhole(file, all.text)
}
