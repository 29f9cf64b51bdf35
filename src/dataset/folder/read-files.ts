import { existsSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { cpuUsage } from 'node:process'
import { Worker } from 'node:worker_threads'
import { canonical, SEAL, sealed, sha256 } from '../../store/hash.ts'
import { makeFolder, writeWhole } from '../../store/write.ts'
import { builtUrl } from '../../threads.ts'
import type { Progress } from '../../types.ts'
import type { Job } from './read-thread.ts'
import { bytesOf, type FileReader } from './reader.ts'
import { type FileResult, kindOfFile, readFile } from './readers/index.ts'
import type { FoundFile } from './walk.ts'

/** Limits of one file: CPU seconds and megabytes of its parser, and bytes of the file. */
export const LIMITS = { seconds: 60, megabytes: 1024, bytes: 256 * 2 ** 20 }
const LANES = 4

export type ReadFile = FoundFile & FileResult

interface ReadOptions {
  /** The user's cache folder, whose `parsed` keeps parsed texts; absent keeps nothing. */
  readonly cache?: string
  readonly limits?: typeof LIMITS
  readonly progress?: Progress
}

/**
 * Reads files below a folder, in their order. PDF, Office and HTML files are parsed in threads with a limit of CPU time and memory, so
 * that a crash costs one file only. Parsed texts are stored by the hash of the file.
 */
export async function readFiles(
  folder: string,
  files: readonly FoundFile[],
  { cache, limits = LIMITS, progress = () => {} }: ReadOptions = {},
): Promise<ReadFile[]> {
  const results: ReadFile[] = new Array(files.length)
  // Two steps, each with its own rate: a PDF takes a hundred times as long as a text.
  const heavy = files.filter(({ file }) => kindOfFile(file)?.heavy).length
  const reading = counter(progress, 'reading files', files.length - heavy)
  const parsing = counter(progress, 'parsing documents', heavy)
  const give = (index: number, result: FileResult) => {
    results[index] = { ...files[index], ...result }
    if (kindOfFile(files[index].file)?.heavy) parsing()
    else reading()
  }
  const waiting: number[] = []
  for (const [index, walkedFile] of files.entries()) {
    const kind = kindOfFile(walkedFile.file)
    if (!kind) give(index, { unreadable: 'unknown kind' })
    else if (walkedFile.bytes > limits.bytes)
      give(index, { unreadable: `file of more than ${limits.bytes / 2 ** 20} MB` })
    else if (walkedFile.bytes === 0) give(index, { unreadable: 'empty file' })
    else if (kind.heavy) waiting.push(index)
    else give(index, await readFile(join(folder, walkedFile.file), walkedFile.file))
  }
  const lane = async () => {
    const thread = openThread(limits)
    try {
      for (let index = waiting.shift(); index !== undefined; index = waiting.shift()) {
        const { file } = files[index]
        const path = join(folder, file)
        const reader = (await kindOfFile(file)?.load()) as FileReader
        const cachePath = cache === undefined ? undefined : keptPath(cache, reader, path, file)
        const result = (cachePath && readKept(cachePath)) || (await thread.read({ path, file }))
        if (cachePath && !existsSync(cachePath) && !('dropped' in result)) keep(cachePath, result)
        give(index, result)
      }
    } finally {
      await thread.end()
    }
  }
  const lanes = Math.min(LANES, availableParallelism(), waiting.length)
  await Promise.all(Array.from({ length: lanes }, lane))
  return results
}

function counter(progress: Progress, label: string, total: number): () => void {
  let done = 0
  if (total > 0) progress(label, 0, total)
  return () => progress(label, ++done, total)
}

/** A thread that reads one file after another, and is replaced when it dies or exceeds a limit. */
function openThread({ seconds, megabytes }: typeof LIMITS) {
  let worker: Worker | undefined
  return {
    read(job: Job): Promise<FileResult> {
      worker ??= new Worker(THREAD, {
        execArgv: [],
        resourceLimits: { maxOldGenerationSizeMb: megabytes },
        stdout: true,
        stderr: true,
      })
      const current = worker
      return new Promise((resolve) => {
        const end = (result: FileResult) => {
          busy--
          clearInterval(clock)
          current.off('message', end).off('error', failed).off('exit', ended)
          resolve(result)
        }
        const drop = (unreadable: string) => {
          end({ unreadable, dropped: true })
          worker = undefined
          // A dying thread may still report its error.
          current.on('error', () => {})
          void current.terminate()
        }
        busy++
        let left = seconds
        let last = cpuUsage()
        // A thread's own CPU time is not known: busy threads share the process's. A machine asleep gives none.
        const clock = setInterval(() => {
          const { user, system } = cpuUsage(last)
          last = cpuUsage()
          left -= (user + system) / 1e6 / busy
          if (left <= 0) drop(`file that takes its parser more than ${seconds} s of CPU time`)
        }, TICK)
        const failed = ({ code }: NodeJS.ErrnoException) =>
          code === 'ERR_WORKER_OUT_OF_MEMORY'
            ? drop(`file that takes its parser more than ${megabytes} MB`)
            : ended()
        const ended = () => drop('file that ends its parser')
        current.on('message', end).on('error', failed).on('exit', ended)
        current.postMessage(job)
      })
    },
    async end() {
      await worker?.terminate()
    },
  }
}

/** Milliseconds between readings of the CPU time. */
const TICK = 100
let busy = 0

const THREAD = builtUrl('dataset/folder/read-thread.js')

function keptPath(
  cache: string,
  { name, version }: FileReader,
  path: string,
  file: string,
): string | undefined {
  let bytes: Buffer
  try {
    bytes = bytesOf(path)
  } catch {
    return undefined
  }
  // The name of the file is in some titles.
  const key = sha256(canonical({ name, version, bytes: sha256(bytes), file }))
  return join(cache, 'parsed', key.slice(0, 2), `${key}.json`)
}

function readKept(path: string): FileResult | undefined {
  try {
    const { [SEAL]: seal, ...answer } = JSON.parse(readFileSync(path, 'utf8'))
    return seal === sha256(JSON.stringify(answer)) ? (answer as FileResult) : undefined
  } catch {
    // It is not there, or damaged: the file is parsed.
    return undefined
  }
}

function keep(path: string, result: FileResult): void {
  try {
    makeFolder(join(path, '..'))
    writeWhole(path, sealed(result))
  } catch {
    // The cache saves time only; it may be on a disk that is full or may not be written.
  }
}
