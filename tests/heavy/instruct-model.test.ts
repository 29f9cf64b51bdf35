import { execFile } from 'node:child_process'
import { copyFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { INSTRUCT_EXPERIMENTS } from '../experiment/small-model.ts'
import { startServer } from '../experiment/start-server.ts'
import { describeShared } from '../shared.ts'
import { temporaryFolder } from '../temporary.ts'

/**
 * Every role that asks a language model, once, with an instruct model of 0.5 billion parameters on llama.cpp's server.
 * `TOUCHSTONE_RECORD=FOLDER` keeps its completions, which `npm test` replays.
 */
const bin = fileURLToPath(new URL('../../bin/touchstone.js', import.meta.url))
const run = promisify(execFile)

describeShared('an instruct model', () => {
  test('has every role, and replays', async () => {
    const { baseUrl } = await startServer('llm/qwen.sh', '0.5b')
    for (const [name, write] of Object.entries(INSTRUCT_EXPERIMENTS)) {
      const folder = temporaryFolder()
      write(folder, baseUrl)
      const argv = [bin, 'run', 'small.yaml', '--workers', '1']
      await run(process.execPath, [...argv, '--out', 'asked'], { cwd: folder })
      const completions = join(folder, 'asked', 'answers.jsonl')
      const replay = ['--set', `recording=${completions}`, '--out', 'replayed', '--store', 'elsewhere']
      await run(process.execPath, [...argv, ...replay], { cwd: folder })
      const resultOf = (path: string) =>
        JSON.parse(readFileSync(join(folder, path, 'manifest.json'), 'utf8')).result
      expect(resultOf('replayed'), name).toBe(resultOf('asked'))
      const kept = process.env.TOUCHSTONE_RECORD
      if (kept) copyFileSync(completions, join(kept, `qwen-${name}.jsonl`))
    }
  })
})
