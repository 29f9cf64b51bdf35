#!/usr/bin/env node
import { supervise } from '../dist/cli/supervisor.js'

// The command is over, whatever timers a custom step left behind.
process.exit(await supervise(process.argv.slice(2)))
