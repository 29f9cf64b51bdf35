import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { finish, parts, RUN, SHARDS, start, until, writeExperiment } from '../experiment/killing.ts'
import { temporaryFolder } from '../temporary.ts'

test.skipIf(process.platform === 'win32')(
  'a run whose parent never asks how it ended is resumed at once after a kill',
  async () => {
    const folder = writeExperiment(temporaryFolder())
    const words = [process.execPath, resolve('bin/touchstone.js'), ...RUN]
    const parent = spawn('sh', ['-c', '"$@" >out 2>err & echo $!; exec sleep 600', 'sh', ...words], {
      cwd: folder,
    })
    try {
      const [line] = await once(parent.stdout, 'data')
      await until(() => parts(folder).length > 0, 'a part')
      process.kill(Number(line), 'SIGKILL')
      const { code, out, err } = await start(folder, RUN).ended
      expect(code, err).toBe(0)
      expect(JSON.parse(out).ran).toBeLessThan(SHARDS)
      // It is a zombie to the end.
      expect(process.kill(Number(line), 0)).toBe(true)
      expect(await finish(folder)).toBe(0)
    } finally {
      parent.kill('SIGKILL')
    }
  },
)
