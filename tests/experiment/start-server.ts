import { type ChildProcess, spawn } from 'node:child_process'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { onTestFinished } from 'vitest'
import { shared } from '../shared.ts'

/**
 * Starts a model's server by its script below the reference data, which installs it the first time; ended with the test. The
 * script gets `args`, then the port.
 */
export async function startServer(script: string, ...args: string[]): Promise<{ readonly baseUrl: string }> {
  const port = await freePort()
  // A group of its own, so that what the script starts ends with it.
  const child = spawn('bash', [shared(script), ...args, String(port)], {
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  onTestFinished(() => end(child))
  const baseUrl = `http://127.0.0.1:${port}/v1`
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (piece) => {
      said += piece
    })
  for (;;) {
    if (child.exitCode !== null)
      throw new Error(`${script} ended with code ${child.exitCode}: ${said.slice(-2000)}`)
    const answer = await fetch(`${baseUrl}/models`).catch(() => undefined)
    if (answer?.ok) return { baseUrl }
    await new Promise((done) => setTimeout(done, 200))
  }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  await new Promise((done) => server.close(done))
  return port
}

function end({ pid, exitCode }: ChildProcess): void {
  if (pid !== undefined && exitCode === null) process.kill(-pid, 'SIGTERM')
}
