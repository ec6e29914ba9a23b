/**
 * Preloaded into the product (`node --import`): shifts its wall clock by the milliseconds in the file CLOCK_FILE. The
 * shift follows changes of the file.
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
