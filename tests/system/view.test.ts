import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { RUN, type Started, start, until, writeExperiment } from '../experiment/killing.ts'
import { temporaryFolder } from '../temporary.ts'

/** What a started command has printed so far. */
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

  test('without a folder says what to do', async () => {
    const { code, err } = await start(temporaryFolder(), ['view']).ended
    expect(code).toBe(2)
    expect(err).toMatch(
      /experiments: there is no such folder; run an experiment first \(`touchstone run CONFIG`\)/,
    )
  })
})

test('run --view shows the run while it computes, then its report until Ctrl-C', async () => {
  const folder = writeExperiment(temporaryFolder())
  const started = start(folder, [...RUN, '--view'], { WAIT: '150', DISPLAY: '' })
  const said = listen(started)
  await until(() => LINK.test(said.err), 'the link')
  const [link] = LINK.exec(said.err) ?? []
  expect(new URL(link ?? '').pathname).toBe('/live/towns')
  const first = await fetch(link ?? '', { redirect: 'manual' })
  const cookie = first.headers.get('set-cookie')?.split(';')[0] ?? ''
  const page = async (path: string) => (await fetch(new URL(path, link), { headers: { cookie } })).text()
  let running = ''
  for (let tries = 0; tries < 400 && !/class="state running".*of 25 queries/s.test(running); tries++) {
    running = await page('/live/towns')
    await new Promise((again) => setTimeout(again, 25))
  }
  expect(running).toMatch(/class="state running".*of 25 queries/s)
  await until(() => said.err.includes('until Ctrl-C'), 'the end of the run')
  expect(JSON.parse(said.out).summary.experiment).toBe('towns')
  expect(await page('/live/towns')).toContain('The experiment is finished.')
  expect(await page('/report/towns')).toContain('Touchstone report')
  const { code, err } = await interrupt(started)
  expect(code).toBe(130)
  expect(err).not.toContain('finishing the work in progress')
  expect(existsSync(join(folder, 'experiments', 'towns', 'lock'))).toBe(false)
})
