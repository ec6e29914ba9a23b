/**
 * Preloaded into the product: shifts its wall clock by the ms in the file named by CLOCK_FILE, which may change at
 * any time.
 */
import { readFileSync, watchFile } from 'node:fs'

const path = process.env.CLOCK_FILE ?? ''
const read = (): number => Number(readFileSync(path, 'utf8'))
let ahead_ms = read()
watchFile(path, { interval: 50, persistent: false }, () => {
  ahead_ms = read()
})

const RealDate = Date
const now = (): number => RealDate.now() + ahead_ms
globalThis.Date = new Proxy(RealDate, {
  construct: (target, args: unknown[], self) =>
    Reflect.construct(target, args.length === 0 ? [now()] : args, self) as Date,
  apply: () => new RealDate(now()).toString(),
  get: (target, key, self) => (key === 'now' ? now : (Reflect.get(target, key, self) as unknown)),
})
