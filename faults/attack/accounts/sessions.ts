import { setTimeout as pause } from 'node:timers/promises'
import { type Attack, needs, type Scene } from '../attack.ts'
import { authOf, newPerson } from './people.ts'

/** A token replaced a moment ago may lag so far behind: two tabs, an answer that was lost. */
const MOST_STEPS = 8
const MOMENT_MS = 11_000

/**
 * Copies of a refresh token that its owner has used since. One that lags a single step gets the living
 * one, which is promised; any other is refused and ends the session, for every holder of a copy.
 */
const trailingToken = async (scene: Scene): Promise<string[]> => {
  const { origin } = await scene.site('confirming')
  const { refresh, user } = authOf(origin)
  const got: string[] = []
  /** A copy, and the session after its owner has renewed it so often. */
  const copied = async (steps: number) => {
    const person = await newPerson(scene, origin)
    let keys = { ...person }
    for (let step = 0; step < steps; step += 1) {
      const { json } = await refresh(keys.refresh_token)
      keys = { ...keys, ...(json as Partial<typeof keys>) }
    }
    return { copy: person.refresh_token, keys }
  }
  const check = async (what: string, { copy, keys }: Awaited<ReturnType<typeof copied>>) => {
    if ((await refresh(copy)).status === 200) got.push(`${what} is renewed`)
    if ((await user(keys.access_token)).status === 200) got.push(`${what} ends nothing`)
  }
  await check(`a copy ${MOST_STEPS + 1} steps behind`, await copied(MOST_STEPS + 1))
  const [one, two] = [await copied(1), await copied(2)]
  await pause(MOMENT_MS)
  const { status, json } = await refresh(one.copy)
  const isLiving = status === 200 && json.refresh_token === one.keys.refresh_token
  needs(isLiving, `a token one step behind was answered ${status}, not with the living one`)
  await check(`a copy 2 steps behind, ${MOMENT_MS / 1_000} s old,`, two)
  return got
}

export const sessions: Attack[] = [
  { name: 'a copied refresh token is used behind its owner', run: trailingToken },
]
