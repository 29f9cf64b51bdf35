#!/usr/bin/env node
import module from 'node:module'

// Compiled code of earlier commands, where Node stores it (22.8 and later).
module.enableCompileCache?.()
const { supervise } = await import('../dist/cli/supervisor.js')

// The command is over, whatever timers a custom step left behind.
process.exit(await supervise(process.argv.slice(2)))
