#!/usr/bin/env node
// kubectl and oc run this as `kubectl_complete-fleetctl WORD...` to complete `kubectl fleetctl WORD...`.
import { main } from '../dist/main.js'

process.argv.splice(2, 0, '__complete')
await main()
