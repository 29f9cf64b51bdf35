#!/usr/bin/env node
import { main } from '../dist/cli/main.js'

// The command is over, whatever timers a custom step left behind.
process.exit(await main(process.argv.slice(2)))
