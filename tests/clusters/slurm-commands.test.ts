import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testSubmission } from '../../src/clusters/slurm/commands.ts'
import { temporaryFolder } from '../temporary.ts'

/** Asks a stand-in of `sbatch`, a shell script; none if empty. */
async function ask(script: string) {
  const folder = temporaryFolder(script === '' ? {} : { sbatch: `#!/bin/sh\n${script}\n` })
  if (script !== '') chmodSync(join(folder, 'sbatch'), 0o755)
  return testSubmission(['--partition=p'], { PATH: folder }, 'a.yaml').then(
    () => 'taken',
    (error) => error.diagnostics[0],
  )
}

test.skipIf(process.platform === 'win32')('what Slurm says to a submission', async () => {
  expect(await ask('[ "$1 $2 $3" = "--test-only --partition=p --wrap=true" ] && exit 0; exit 9')).toBe(
    'taken',
  )
  expect(
    await ask(
      'echo "sbatch: error: no such partition" >&2; echo >&2; echo "sbatch: two" >&2; echo three >&2; exit 1',
    ),
  ).toEqual({
    file: 'a.yaml',
    message: 'executor.slurm: Slurm refuses the job: no such partition; two',
  })
  expect((await ask('')).message).toMatch(
    /^there is no command `sbatch`; `executor: \{slurm: \.\.\.\}` runs where/,
  )
})
