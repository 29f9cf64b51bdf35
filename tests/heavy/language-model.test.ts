import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { askJson } from '../../src/models/chat/json.ts'
import { openChat } from '../../src/models/chat/open.ts'
import { compatibleWire } from '../../src/models/chat/wires/openai.ts'
import { realClock } from '../../src/models/http/limiter.ts'
import { openServer } from '../../src/models/http/server.ts'
import {
  INSTRUCT_EXPERIMENTS,
  SMALL_MODEL,
  SMALL_QUESTIONS,
  writeSmallModelExperiment,
} from '../experiment/small-model.ts'
import { startServer } from '../experiment/start-server.ts'
import { describeShared } from '../shared.ts'
import { temporaryFolder } from '../temporary.ts'

/**
 * A model that nobody here wrote, on a server that nobody here wrote: SmolLM2-135M on llama.cpp's. It follows the form,
 * seldom the sense: nothing here looks at what it says. `TOUCHSTONE_RECORD=FILE` keeps its answers, which `npm test`
 * replays.
 */
const bin = fileURLToPath(new URL('../../bin/touchstone.js', import.meta.url))
const run = promisify(execFile)

describeShared('a small language model', () => {
  test('answers whole, streamed and in JSON', async () => {
    const { baseUrl } = await startServer('llm/serve.sh')
    const server = openServer({
      baseUrl,
      headers: {},
      secrets: [],
      limits: { concurrency: 2 },
      clock: realClock,
      seed: 1,
      timeout: 600_000,
    })
    const chat = openChat({ server, wire: compatibleWire, model: SMALL_MODEL, answersAs: SMALL_MODEL })
    const messages = [{ role: 'user', content: 'Name a colour and a number.' }] as const
    const params = { temperature: 0, seed: 1, maxTokens: 20 }
    const whole = await chat.complete(messages, params)
    expect(whole.model).toBe(SMALL_MODEL)
    expect(whole.usage?.output).toBeGreaterThan(0)
    const texts: string[] = []
    const streamed = await chat.complete(messages, params, { onText: (text) => texts.push(text) })
    expect(texts.at(-1)).toBe(streamed.text)
    expect(texts.length).toBeGreaterThan(1)
    expect(streamed.usage?.input).toBe(whole.usage?.input)
    // The server holds it to the schema by a grammar.
    const schema = z.strictObject({
      colour: z.enum(['red', 'green', 'blue']),
      number: z.enum(['one', 'two']),
    })
    const ask = (further: readonly (typeof messages)[number][]) =>
      chat.complete([...messages, ...further], { ...params, maxTokens: 60, schema: z.toJSONSchema(schema) })
    const { colour, number } = await askJson((further) => ask(further as never), schema)
    expect([colour, number].join(' ')).toMatch(/^(red|green|blue) (one|two)$/)
    const cut = await chat.complete(messages, { ...params, maxTokens: 2 })
    expect(cut.finish).toBe('length')
    const stop = new AbortController()
    const long = chat.complete(
      messages,
      { ...params, maxTokens: 400 },
      { signal: stop.signal, onText: () => stop.abort(new Error('heard enough')) },
    )
    await expect(long).rejects.toThrow('heard enough')
  })

  test('rewrites queries in a run that is killed, goes on, and replays', async () => {
    const { baseUrl } = await startServer('llm/serve.sh')
    const folder = temporaryFolder()
    writeSmallModelExperiment(folder, baseUrl)
    const argv = [bin, 'run', 'small.yaml', '--workers', '2']
    const kept = () => {
      const answers = join(folder, '.touchstone', 'completions')
      try {
        return readdirSync(answers, { recursive: true, encoding: 'utf8' })
          .filter((file) => file.endsWith('.json'))
          .map((file) => [file, statSync(join(answers, file)).mtimeMs] as const)
      } catch {
        return []
      }
    }
    const killed = spawn(process.execPath, argv, { cwd: folder, stdio: 'ignore' })
    while (kept().length < 4) await realClock.wait(20)
    killed.kill('SIGKILL')
    await once(killed, 'exit')
    const before = new Map(kept())
    expect(before.size).toBeLessThan(SMALL_QUESTIONS)
    await run(process.execPath, argv, { cwd: folder })
    const after = new Map(kept())
    expect(after.size).toBe(SMALL_QUESTIONS)
    // A stored completion was not asked for again.
    for (const [file, time] of before) expect(after.get(file)).toBe(time)

    const answers = join(folder, 'experiments', 'small-model', 'answers.jsonl')
    const replay = [
      '--set',
      `models.small={recorded: ${answers}}`,
      '--out',
      'replayed',
      '--store',
      'elsewhere',
    ]
    await run(process.execPath, [...argv, ...replay], { cwd: folder })
    const resultOf = (path: string) =>
      JSON.parse(readFileSync(join(folder, path, 'manifest.json'), 'utf8')).result
    expect(resultOf('replayed')).toBe(resultOf('experiments/small-model'))
    if (process.env.TOUCHSTONE_RECORD) copyFileSync(answers, process.env.TOUCHSTONE_RECORD)
  })
})

/**
 * Every role that asks a language model, once, with an instruct model of 0.5 billion parameters. In this file, as both scripts
 * install into one folder the first time. `TOUCHSTONE_RECORD_ROLES=FOLDER` keeps its completions, which `npm test` replays.
 */
describeShared('an instruct model', () => {
  test('has every role', async () => {
    const { baseUrl } = await startServer('llm/qwen.sh', '0.5b')
    for (const [name, write] of Object.entries(INSTRUCT_EXPERIMENTS)) {
      const folder = temporaryFolder()
      write(folder, baseUrl)
      await run(process.execPath, [bin, 'run', 'small.yaml', '--workers', '1', '--out', 'asked'], {
        cwd: folder,
      })
      const completions = join(folder, 'asked', 'answers.jsonl')
      const recordFolder = process.env.TOUCHSTONE_RECORD_ROLES
      if (recordFolder) copyFileSync(completions, join(recordFolder, `qwen-${name}.jsonl`))
    }
  })
})
