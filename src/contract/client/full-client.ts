import { calls } from '#contract/kit/calls.ts'
import { type Client, createClientOf, type Send } from './client.ts'

/** The client of every call, for programs that load it whole. */
export const createClient = (send: Send): Client => createClientOf(calls, send)
