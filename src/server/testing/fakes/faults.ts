import type { FakeReply, FakeRequest } from './fake-server.ts'

/** Something that goes wrong with the next calls that it is meant for. */
export type Fault = {
  method?: string
  /** The beginning of the path, or an expression it must match. */
  path?: string | RegExp
  /** How often; once when it is left out. */
  times?: number
  /** Without a status the connection breaks. */
  status?: number
  body?: unknown
  headers?: Record<string, string>
  delay_ms?: number
  /** before: not done; after: done, and the answer lost; hang: done, never answered; slow: answered late. */
  mode: 'before' | 'after' | 'hang' | 'slow'
}

const meant = (fault: Fault, { method, path }: FakeRequest): boolean => {
  if (fault.method && fault.method !== method) return false
  if (fault.path === undefined) return true
  return typeof fault.path === 'string' ? path.startsWith(fault.path) : fault.path.test(path)
}

/** The script of a fake: rules in their order, each used up after its `times`. */
export const createFaults = () => {
  const left: { fault: Fault; times: number }[] = []
  return {
    add: (fault: Fault): void => {
      left.push({ fault, times: fault.times ?? 1 })
    },
    clear: (): void => {
      left.length = 0
    },
    take: (request: FakeRequest): Fault | undefined => {
      const rule = left.find(({ fault, times }) => times > 0 && meant(fault, request))
      if (rule) rule.times -= 1
      return rule?.fault
    },
  }
}

/** What a fault answers instead; undefined: the connection breaks. */
export const replyOf = ({ status, body, headers }: Fault): FakeReply | undefined =>
  status === undefined ? undefined : { status, body, ...(headers && { headers }) }
