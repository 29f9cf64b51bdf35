import { UserError } from '../../errors.ts'
import type { Json, Query } from '../../types.ts'
import { parseMessage, type Reply, readReply } from './answer.ts'
import { type Connection, connect } from './connection.ts'

/** Another retrieval system, run as a process of its own and asked one query after another. */
export interface ExternalSystem {
  /** Throws in words where the system fails on this query: it ends, is too slow, or its answer is nonsense. */
  ask(query: Query, depth: number): Promise<Reply>
  close(): void
}

export interface ExternalOptions {
  /** A program and its words. */
  readonly command: readonly string[]
  /** Seconds for an answer. */
  readonly timeout: number
  /** Seconds to get ready. */
  readonly startTimeout: number
  /** Message that names the folders of the dataset and the chunks. */
  readonly hello: { readonly [key: string]: Json }
  readonly rowOf: ReadonlyMap<string, number>
}

/** The version of the protocol; docs/custom-parts.md describes it. */
const PROTOCOL = 1

/**
 * Starts a system and waits until it is ready; a UserError where it does not get so far. One that ends later, or had
 * to be ended because it was too slow, is started again for the next query.
 */
export async function startSystem(options: ExternalOptions): Promise<ExternalSystem> {
  const { command, timeout, startTimeout, hello, rowOf } = options
  let asked = 0
  let last: Promise<unknown> = Promise.resolve()
  let connection = await start().catch((error: Error) => {
    throw new UserError(error.message)
  })

  async function start(): Promise<Connection> {
    const fresh = connect(command)
    try {
      fresh.send({ type: 'hello', protocol: PROTOCOL, ...hello })
      const message = parseMessage(await fresh.line(1000 * startTimeout))
      if (message.type === 'error') throw new Error(`says: ${message.message}`)
      if (message.type !== 'ready')
        throw new Error(`answered hello with \`${message.type}\`, not with \`ready\``)
      return fresh
    } catch (error) {
      fresh.kill()
      throw named(error)
    }
  }

  function named(error: unknown): Error {
    return new Error(`the system \`${command.join(' ')}\` ${error instanceof Error ? error.message : error}`)
  }

  async function answer({ text, metadata }: Query, depth: number): Promise<Reply> {
    if (connection.ended()) connection = await start()
    const id = ++asked
    try {
      connection.send({ type: 'query', id, text, metadata, depth })
      for (;;) {
        const line = await connection.line(1000 * timeout).catch((error) => {
          // Whatever it says later belongs to no query.
          connection.kill()
          throw error
        })
        const message = parseMessage(line)
        // The line after an unreadable one may answer the query that failed because of it.
        if (typeof message.id === 'number' && message.id < id) continue
        if (message.id !== id)
          throw new Error(`answered query ${JSON.stringify(message.id ?? null)} when it was asked ${id}`)
        if (message.type === 'error') throw new Error(`says: ${message.message}`)
        if (message.type !== 'ranking')
          throw new Error(`answered with \`${message.type}\`, not with \`ranking\``)
        return readReply(message, rowOf, depth)
      }
    } catch (error) {
      throw named(error)
    }
  }

  return {
    ask(query, depth) {
      const turn = last.then(() => answer(query, depth))
      last = turn.catch(() => {})
      return turn
    },
    close: () => connection.close(),
  }
}
