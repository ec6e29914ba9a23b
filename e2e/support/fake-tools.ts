/** Ports of the fake email tools, counted from the first. */
const OFFSETS = { kit: 0, systemio: 1, brevo: 2 }
type FakeTool = keyof typeof OFFSETS

/** Returns the origin of a fake tool. */
export const fakeOrigin = (tool: FakeTool): string =>
  `http://127.0.0.1:${Number(process.env.E2E_FAKES_PORT) + OFFSETS[tool]}`

/** Returns the accounts of a fake tool, with their contacts, as JSON. */
export const readFakeState = async (tool: FakeTool): Promise<string> =>
  (await fetch(`${fakeOrigin(tool)}/__fake/state`)).text()

/** Changes the faults or the switches of a fake tool. */
export const changeFakeTool = (
  tool: FakeTool,
  what: 'faults' | 'switches',
  change: object,
): Promise<Response> =>
  fetch(`${fakeOrigin(tool)}/__fake/${what}`, { method: 'POST', body: JSON.stringify(change) })
