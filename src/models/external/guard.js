// Runs another system's command and sees to its end. It shares this process's standard streams, so what it says does
// not pass through here; the channel to the parent is only a lifeline. When that breaks (the parent ended, was killed,
// or its thread was) the system has a moment to end by itself, and is then killed with all that it started.
import { spawn } from 'node:child_process'

const GRACE = 1000
const [command, ...words] = process.argv.slice(2)
// A process group of its own: a Ctrl-C on the terminal is for the parent alone, and killing takes its children along.
const system = spawn(command, words, { stdio: 'inherit', detached: true })

function kill() {
  try {
    process.kill(-system.pid, 'SIGKILL')
  } catch {
    system.kill('SIGKILL')
  }
}

function tell(message) {
  if (process.connected) process.send(message, () => process.exit(0))
  else process.exit(0)
}

system.on('error', ({ code, message }) => tell({ error: code ?? message }))
system.on('exit', (code, signal) => {
  // What the system itself started must not outlive it.
  kill()
  tell({ code, signal })
})
process.on('message', kill)
process.on('disconnect', () => setTimeout(kill, GRACE))
process.on('SIGINT', () => {})
process.on('SIGTERM', () => setTimeout(kill, GRACE))
