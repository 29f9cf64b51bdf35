import { UserError } from '../errors.ts'
import { CODE_FORMATS, type CodeFormat, exportCode } from '../library/export-code.ts'
import { shownPath } from '../text/shown-path.ts'
import type { Io } from './io.ts'

export function isCodeFormat(to: string | undefined): to is CodeFormat {
  return (CODE_FORMATS as readonly (string | undefined)[]).includes(to)
}

/** Writes a program around a trial of a finished experiment into a new folder. */
export async function exportProgram(
  path: string,
  out: string,
  to: CodeFormat,
  { trial, json }: { readonly trial?: string | undefined; readonly json: boolean },
  io: Io,
): Promise<void> {
  if (trial === undefined)
    throw new UserError(
      'name the trial that the program retrieves with: --trial NAME (`touchstone recommend` names one)',
    )
  const written = await exportCode(path, trial, to, out)
  if (json) io.json({ from: path, to: out, format: to, ...written })
  else {
    const folder = shownPath(io.folder, out)
    io.out(
      `${folder}: ${written.files.join(', ')}, for ${written.trial}; test it with \`npx tsx --test ${folder}/retriever.test.mts\``,
    )
  }
}
