import { calls } from '#contract/kit/calls.ts'
import { type Client, createClientOf, type Send } from './client.ts'

/** Creates a client of all calls, for programs that load the whole contract. */
export const createClient = (send: Send): Client => createClientOf(calls, send)
