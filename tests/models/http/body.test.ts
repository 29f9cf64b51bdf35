import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Endless, readBody, readEvents } from '../../../src/models/http/body.ts'

async function eventsOf(pieces: readonly Uint8Array[]): Promise<string[]> {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece)
      controller.close()
    },
  })
  const events: string[] = []
  for await (const data of readEvents(new Response(body), 10_000)) events.push(data)
  return events
}

const line = fc.string({ unit: 'grapheme', maxLength: 8 }).filter((text) => !/[\r\n]/.test(text))

describe('server-sent events', () => {
  it('are the same however their bytes are cut and their lines end', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(line, { minLength: 1, maxLength: 3 }), { maxLength: 4 }),
        fc.constantFrom('\n', '\r\n', '\r'),
        fc.array(fc.nat(200), { maxLength: 8 }),
        async (events, end, cuts) => {
          const text = events
            .map(
              (lines) =>
                `: a comment${end}id: 7${end}${lines.map((line) => `data: ${line}${end}`).join('')}${end}`,
            )
            .join('')
          // A CR at the very end may be half of a line's end: the next line tells.
          const bytes = Buffer.from(`${text}data: broken off`)
          const at = [...new Set([0, ...cuts.filter((cut) => cut < bytes.length), bytes.length])].sort(
            (a, b) => a - b,
          )
          const pieces = at.slice(1).map((to, index) => bytes.subarray(at[index], to))
          expect(await eventsOf(pieces)).toEqual(events.map((lines) => lines.join('\n')))
        },
      ),
    )
  })

  it('are no more than a limit', async () => {
    const event = Buffer.from(`data: ${'x'.repeat(990)}\n\n`)
    await expect(eventsOf(new Array(40).fill(event))).rejects.toBeInstanceOf(Endless)
    expect(await eventsOf(new Array(10).fill(event.subarray(0, 900)))).toEqual([])
    expect(await eventsOf(new Array(9).fill(event))).toHaveLength(9)
  })
})

describe('a body', () => {
  it('is whole up to its limit, and no byte more', async () => {
    expect(await readBody(new Response('12345'), 5)).toEqual({ text: '12345', whole: true })
    expect(await readBody(new Response('123456'), 5)).toEqual({ text: '123456', whole: false })
    const long = `a${'b'.repeat(4095)}c`
    expect(await readBody(new Response(long), 5)).toEqual({ text: long.slice(0, -1), whole: false })
  })
})
