import { afterEach, describe, expect, test, vi } from 'vitest'
import { askServer, type Failed, Refused, urlIn } from '../../src/engines/server.ts'
import { UserError } from '../../src/errors.ts'

afterEach(() => vi.unstubAllEnvs())

describe('asking a server', () => {
  /** Asks with two pauses; each request fails as the next of `failures` says, and the one after the last is answered. */
  async function ask(failures: readonly (Failed | Error)[]) {
    let turn = 0
    const request = async () => {
      const failure = failures[turn++]
      if (failure) throw failure
      return 'answer'
    }
    const read = (error: unknown) => (error instanceof Error ? undefined : (error as Failed))
    const reply = await askServer('SERVER', request, read, [1, 1]).catch((error: unknown) => error)
    return { found: reply, turn }
  }
  const times = (failed: Failed, count: number) => Array.from({ length: count }, () => failed)

  test.each([429, 502, 503, 504])(
    'asks again while it is busy (%i), until the pauses are used up',
    async (status) => {
      const busy = { status, words: 'busy' }
      expect(await ask(times(busy, 2))).toEqual({ found: 'answer', turn: 3 })
      const { found, turn } = await ask(times(busy, 9))
      expect(found).toEqual(new Refused(status, 'SERVER', 'busy'))
      expect(found).toMatchObject({ status, message: `the server in SERVER refuses (${status}): busy` })
      expect(turn).toBe(3)
      expect((await ask([{ ...busy, final: true }])).turn).toBe(1)
    },
  )

  test.each([400, 401, 404, 428, 430, 500, 501, 505])('a refusal with %i is final', async (status) => {
    expect((await ask([{ status, words: 'no' }])).turn).toBe(1)
  })

  test('asks again while it does not answer, and names the code alone', async () => {
    expect(await ask(times({ words: 'ECONNRESET' }, 2))).toEqual({ found: 'answer', turn: 3 })
    expect(await ask(times({ words: 'ECONNRESET' }, 3))).toEqual({
      found: new UserError('the server in SERVER does not answer (ECONNRESET)'),
      turn: 3,
    })
  })
})

test.each([
  [
    undefined,
    'vectors needs an address in the environment variable SERVER, which is not set, as http://host',
  ],
  ['', 'vectors needs an address in the environment variable SERVER, which is not set, as http://host'],
  ['host:80', 'the address in SERVER is not one of http or https'],
  ['ftp://host', 'the address in SERVER is not one of http or https'],
  ['no address', 'the address in SERVER is not one of http or https'],
])('the address %j is refused', (address, message) => {
  vi.stubEnv('SERVER', address)
  expect(() => urlIn('SERVER', 'vectors', 'http://host')).toThrow(new UserError(message))
})
