import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { buildSync } from 'esbuild'
import { describe, expect, it } from 'vitest'
import { keyOfRequest } from '../../../src/models/completions/request.ts'
import { completionFiles, openCompletions, readCompletion } from '../../../src/models/completions/store.ts'
import { temporaryFolder } from '../../temporary.ts'
import { pair, question } from './fixture.ts'

/** Puts answers to 200 questions, each its own, as fast as it can; says what is kept in the end. */
const WRITER = buildSync({
  stdin: {
    contents: `
import { openCompletions } from './store.ts'
import { storedCompletion } from './request.ts'
const [, , folder, me, count] = process.argv
const store = openCompletions(folder)
const kept = []
for (let i = 0; i < Number(count); i++) {
  const question = { model: { provider: 'openai', model: 'm' }, prompt: 'p', messages: [{ role: 'user', content: 'q' + i }], repeat: 0 }
  const text = me + ' says ' + 'x'.repeat(5000)
  kept.push(store.put(storedCompletion(question, { text, model: 'm', finish: 'stop', usage: null })).completion.text.slice(0, 1))
  if (i === 0) process.stdout.write('begun\\n')
}
process.stdout.write(kept.join(''))
`,
    resolveDir: fileURLToPath(new URL('../../../src/models/completions', import.meta.url)),
  },
  bundle: true,
  format: 'esm',
  platform: 'node',
  write: false,
}).outputFiles[0].text

function writer() {
  const folder = temporaryFolder({ 'writer.mjs': WRITER })
  return {
    script: fileURLToPath(new URL(`file://${join(folder, 'writer.mjs')}`)),
    answers: join(folder, 'completions', 'a'),
  }
}

describe('the store of answers', () => {
  it('gives back what it was given, and the first answer for ever', () => {
    const store = openCompletions(join(temporaryFolder(), 'answers'))
    const first = pair('q', 'one')
    expect(store.get(first.key)).toBeUndefined()
    expect(store.put(first)).toEqual(first)
    expect(store.put(pair('q', 'another'))).toEqual(first)
    expect(store.get(first.key)).toEqual(first)
  })

  it('keeps apart whatever makes two questions', () => {
    const others = [
      question('r'),
      question('q', { repeat: 1 }),
      question('q', { prompt: 'other' }),
      question('q', { model: { provider: 'openai', model: 'm', temperature: 1 } }),
      question('q', { model: { provider: 'azure', model: 'm', temperature: 0 } }),
      question('q', { messages: [{ role: 'system', content: 'q' }] }),
      question('q', { schema: { type: 'object' } }),
    ]
    expect(new Set([question('q'), ...others].map(keyOfRequest)).size).toBe(others.length + 1)
  })

  it('holds whole answers alone, whatever stops its writers, and one for all of them', async () => {
    const { script, answers } = writer()
    const all = ['a', 'b', 'c'].map((me) =>
      promisify(execFile)(process.execPath, [script, answers, me, '200']),
    )
    const said = (await Promise.all(all)).map(({ stdout }) => stdout.replace('begun\n', ''))
    // Every process goes on with the same answers, whoever gave them.
    expect(new Set(said).size).toBe(1)
    expect(readdirSync(answers)).toHaveLength(200)
  })

  it('is whole after a writer was killed', async () => {
    const { script, answers } = writer()
    for (const delay of [0, 3, 9]) {
      const child = spawn(process.execPath, [script, answers, 'k', '100000'], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      await once(child.stdout, 'data')
      await new Promise((done) => setTimeout(done, delay))
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
    const files = completionFiles(join(answers, '..', '..'))
    expect(files.length).toBeGreaterThan(0)
    for (const file of files) expect(readCompletion(file).completion.text).toHaveLength(5007)
  })

  it('says which answer was altered', () => {
    const folder = join(temporaryFolder(), 'completions', 'a')
    const { key } = openCompletions(folder).put(pair('q', 'one'))
    const file = join(folder, `${key}.json`)
    const text = readFileSync(file, 'utf8')
    for (const altered of [
      text.replace('one', 'two'),
      text.replace('"q"', '"r"'),
      text.slice(0, 40),
      '',
      'null',
    ]) {
      writeFileSync(file, altered)
      expect(() => openCompletions(folder).get(key)).toThrow(`${file}: is not a stored completion`)
    }
    mkdirSync(folder, { recursive: true })
    const other = join(folder, `${'0'.repeat(32)}.json`)
    writeFileSync(other, text)
    expect(() => readCompletion(other)).toThrow('is not a stored completion')
  })
})
