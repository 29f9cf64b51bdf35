import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { engineKinds } from '../../src/engines/index.ts'
import { PAUSES } from '../../src/engines/server.ts'
import { UserError } from '../../src/errors.ts'
import { strategies } from '../../src/retrieve/strategies/index.ts'
import { documents } from '../fixtures/passages.ts'
import { prepare } from '../retrieve/strategies/prepared.ts'
import { temporaryFolder } from '../temporary.ts'
import { chromaError, chromaPackage } from './chroma-package.ts'
import { describeEngine, naiveIn, over, removeAll } from './engine-contract.ts'
import { installPackage } from './optional-package.ts'

await Promise.all([strategies.load(['naive']), engineKinds.load(['chroma'])])

const fake = chromaPackage()
const pauses = [...PAUSES]
let remove: () => void
beforeAll(() => {
  remove = installPackage('chromadb', fake.exported)
  PAUSES.splice(0, PAUSES.length, 1, 1, 1)
})
beforeEach(() => {
  vi.stubEnv('TOUCHSTONE_CHROMA', 'http://127.0.0.1:8123')
  fake.collections.clear()
  fake.opened.length = 0
  fake.asked.length = 0
})
afterEach(() => {
  fake.state.plan = () => undefined
  vi.unstubAllEnvs()
})
afterAll(() => {
  PAUSES.splice(0, PAUSES.length, ...pauses)
  remove()
})

/** A corpus that is quickly embedded, and a query that finds some of it. */
const FEW = documents.slice(0, 6)
const chroma = (params: Record<string, string | number | boolean> = {}) => ({ name: 'chroma', params })
const flat = (params = {}) => naiveIn('flat', over({ flat: chroma({ ...params }) }, FEW))
const failing = (request: string, error: Error, times = Number.POSITIVE_INFINITY) => {
  let left = times
  fake.state.plan = (asked) => (asked === request && left-- > 0 ? error : undefined)
}
describe('chroma', () => {
  describeEngine(() => ({ exact: chroma(), index: chroma() }))

  it.each([
    [
      chromaError('ChromaClientError', 'Bad request to http://:hidden@10.0.0.1/api with status 400'),
      'refuses (400): Bad request to the server with status 400',
    ],
    [chromaError('ChromaUnauthorizedError', 'no'), 'refuses (401): no'],
    [chromaError('ChromaForbiddenError', 'no'), 'refuses (403): no'],
    [chromaError('ChromaUniqueError', 'no'), 'refuses (409): no'],
    [chromaError('ChromaQuotaExceededError', 'q'.repeat(400)), `refuses (422): ${'q'.repeat(300)}$`],
    [chromaError('ChromaRateLimitError', 'wait'), 'refuses (429): wait'],
    [chromaError('ChromaServerError', 'down'), 'refuses (503): down'],
    [chromaError('ChromaConnectionError', 'http://10.0.0.1'), 'does not answer (ECONNREFUSED or cut)'],
    [Object.assign(new Error('10.0.0.1'), { code: 'ECONNRESET' }), 'does not answer (ECONNRESET)'],
  ])('%s', async (error, message) => {
    failing('upsert', error)
    const failure = await prepare(temporaryFolder(), [flat()]).catch((failed: unknown) => failed)
    expect(failure).toBeInstanceOf(UserError)
    expect(`${(failure as Error).message}$`).toContain(`the server in TOUCHSTONE_CHROMA ${message}`)
  })

  it('refuses a collection that is not its own, and completes one that a load left', async () => {
    const folder = temporaryFolder()
    failing('upsert', chromaError('ChromaForbiddenError', 'no'))
    await expect(prepare(folder, [flat()])).rejects.toThrow('refuses (403)')
    fake.state.plan = () => undefined
    await (await prepare(folder, [flat()])).close()
    const [[name, collection]] = fake.collections
    expect(collection.vectors.size).toBeGreaterThan(0)
    for (const metadata of [null, {}, { touchstone: 'other' }]) {
      fake.collections.set(name, { ...collection, metadata })
      await expect(prepare(temporaryFolder(), [flat()])).rejects.toThrow("that is not Touchstone's")
      await expect(removeAll(folder)).rejects.toThrow("that is not Touchstone's")
    }
    fake.collections.set(name, collection)
    await removeAll(folder)
    expect(fake.collections.size).toBe(0)
  })
})
