import { firstCalls } from './first-calls.ts'
import { laterCalls } from './later-calls.ts'

/**
 * Method and path of every call (spec §7), apart from its shapes so that the browser's client needs
 * no validation library. The shapes are in the file named as the group.
 */
export const calls = { ...firstCalls, ...laterCalls } as const
