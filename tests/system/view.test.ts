import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { RUN, type Started, start, until, writeExperiment } from '../experiment/killing.ts'
import { temporaryFolder } from '../temporary.ts'

/** Output of a started command so far. */
function listen({ process: child }: Started) {
  const said = { out: '', err: '' }
  child.stdout?.on('data', (text: string) => {
    said.out += text
  })
  child.stderr?.on('data', (text: string) => {
    said.err += text
  })
  return said
}

const LINK = /http:\/\/127\.0\.0\.1:\d+\S*\?token=[\w-]{32}/

/** Opens a link as a browser does: the token is exchanged for a cookie. */
async function open(link: string): Promise<string> {
  const first = await fetch(link, { redirect: 'manual' })
  const cookie = first.headers.get('set-cookie')?.split(';')[0] ?? ''
  const page = await fetch(new URL(first.headers.get('location') ?? '', link), { headers: { cookie } })
  expect(page.status).toBe(200)
  return page.text()
}

/** Ends a command by Ctrl-C. */
async function interrupt({ process: child, ended }: Started) {
  child.kill('SIGINT')
  const { code, signal, err } = await ended
  return { code: signal === 'SIGINT' ? 130 : code, err }
}

describe('touchstone view', () => {
  test('prints a link that shows the experiments, and ends at Ctrl-C', async () => {
    const folder = writeExperiment(temporaryFolder())
    expect((await start(folder, RUN, { WAIT: '0' }).ended).code).toBe(0)
    const started = start(folder, ['view'])
    const said = listen(started)
    await until(() => LINK.test(said.out) && said.err !== '', 'the link')
    expect(said.out).toMatch(new RegExp(`^${LINK.source}\n$`))
    expect(said.err).toBe('Ctrl-C ends the server\n')
    const page = await open(said.out.trim())
    expect(page).toContain('href="/report/towns"')
    expect((await fetch(new URL('/', said.out.trim()))).status).toBe(403)
    const port = new URL(said.out.trim()).port
    const second = await start(folder, ['view', '--port', port]).ended
    expect([second.code, second.out]).toEqual([2, ''])
    expect(second.err).toBe(
      `--port: port ${port} is in use; choose another, or leave out --port for a free one\n`,
    )
    expect(await interrupt(started)).toMatchObject({ code: 130 })
  })

  test('with --json prints one value', async () => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'empty'))
    const started = start(folder, ['view', 'empty', '--json'])
    const said = listen(started)
    await until(() => said.out.includes('}'), 'the value')
    const { link, port, experiments } = JSON.parse(said.out)
    expect([new URL(link).port, experiments]).toEqual([String(port), 0])
    expect(await open(link)).toContain('There is no experiment in empty.')
    await interrupt(started)
  })
})
