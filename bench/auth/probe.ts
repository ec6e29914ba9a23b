/** Runs inside the server. On SIGUSR2, writes the event loop delays since the last signal. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'

const delay = monitorEventLoopDelay({ resolution: 1 })
delay.enable()
const file = join(process.env.DATA_DIR ?? '.', 'loop-delay.json')
let written = 0

process.on('SIGUSR2', () => {
  written += 1
  const [p50, p99] = [delay.percentile(50) / 1e6, delay.percentile(99) / 1e6]
  delay.reset()
  writeFileSync(file, JSON.stringify({ written, p50, p99 }))
})
