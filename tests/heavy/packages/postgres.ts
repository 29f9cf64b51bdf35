import { PGlite } from '@electric-sql/pglite'
import { vector } from '@electric-sql/pglite-pgvector'
import { PGLiteSocketServer } from '@electric-sql/pglite-socket'

/** PostgreSQL with pgvector in this process, behind its own protocol: the ordinary client speaks to it. */
export async function startPostgres() {
  const database = await PGlite.create({ extensions: { vector } })
  const server = await servePostgres(database)
  return {
    database,
    url: server.url,
    async stop() {
      await server.stop()
      await database.close()
    },
  }
}

/** One more server of a database. */
export async function servePostgres(database: PGlite) {
  const server = new PGLiteSocketServer({ db: database, port: 0, host: '127.0.0.1', maxConnections: 500 })
  await server.start()
  return {
    url: `postgres://postgres:not-a-secret@${server.getServerConn()}/postgres`,
    stop: () => server.stop(),
  }
}
