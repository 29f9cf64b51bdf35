// A stand-in for Slurm's commands, for tests without a cluster: jobs are folders, tasks are processes of this machine.
// FAKE_SLURM names the folder; `kill` in it holds how many tasks of arrays are killed before they begin, `refuse` what sbatch says,
// `busy` how often it says that the controller does not answer, `config` what scontrol says, `pending` the job that never begins.
import { spawn, spawnSync } from 'node:child_process'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'

const [program, ...words] = process.argv.slice(2)
const root = process.env.FAKE_SLURM
const option = (name) => words.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3)
const fail = (message) => {
  process.stderr.write(`${program}: error: ${message}\n`)
  process.exit(1)
}
if (program !== 'daemon') appendFileSync(join(root, 'calls'), `${JSON.stringify([program, ...words])}\n`)

if (program === 'sbatch') {
  const refuse = join(root, 'refuse')
  if (existsSync(refuse)) fail(readFileSync(refuse, 'utf8'))
  const busy = join(root, 'busy')
  const left = existsSync(busy) ? Number(readFileSync(busy, 'utf8')) : 0
  if (left > 0 && !words.includes('--test-only')) {
    writeFileSync(busy, String(left - 1))
    fail('Batch job submission failed: Unable to contact slurm controller (connect failure)')
  }
  if (option('partition') === 'nowhere') fail('invalid partition specified: nowhere')
  if (words.includes('--test-only')) process.exit(0)
  const id = String(readdirSync(root).filter((name) => /^\d+$/.test(name)).length + 1)
  mkdirSync(join(root, id))
  const daemon = spawn(process.execPath, [process.argv[1], 'daemon', id, ...words], {
    ...{ detached: true, stdio: 'ignore' },
  })
  writeFileSync(join(root, id, 'pid'), String(daemon.pid))
  daemon.unref()
  process.stdout.write(`${id}\n`)
} else if (program === 'squeue') {
  const id = option('jobs')
  if (!existsSync(join(root, id))) fail('Invalid job id specified')
  if (!existsSync(join(root, id, 'ended'))) process.stdout.write('RUNNING\n')
} else if (program === 'scontrol') {
  const config = join(root, 'config')
  process.stdout.write(existsSync(config) ? readFileSync(config, 'utf8') : '')
} else if (program === 'scancel') {
  for (const id of words.filter((word) => !word.startsWith('--'))) {
    if (existsSync(join(root, id, 'ended'))) continue
    try {
      process.kill(-Number(readFileSync(join(root, id, 'pid'), 'utf8')), 'SIGKILL')
    } catch {}
    writeFileSync(join(root, id, 'ended'), '')
  }
} else {
  const [id, ...options] = words
  const script = options.at(-1)
  const after = option('dependency')?.replace('afterany:', '').split(':') ?? []
  const pending = () => {
    const file = join(root, 'pending')
    return existsSync(file) && readFileSync(file, 'utf8') === id
  }
  while (pending() || !after.every((one) => existsSync(join(root, one, 'ended'))))
    spawnSync('sleep', ['0.05'])
  const last = Number(/^0-(\d+)/.exec(option('array') ?? '0-0')[1])
  for (let task = 0; task <= last; task++) {
    const kills = join(root, 'kill')
    const left = existsSync(kills) ? Number(readFileSync(kills, 'utf8')) : 0
    if (left > 0 && option('array')) {
      writeFileSync(kills, String(left - 1))
      continue
    }
    const out = openSync(option('output').replaceAll('%a', String(task)).replaceAll('%%', '%'), 'a')
    spawnSync('bash', [script], {
      ...{ cwd: option('chdir'), stdio: ['ignore', out, out] },
      env: { ...process.env, SLURM_JOB_ID: id, SLURM_ARRAY_TASK_ID: String(task) },
    })
  }
  writeFileSync(join(root, id, 'ended'), '')
}
